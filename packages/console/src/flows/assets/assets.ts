// The asset inventory beside the console: fetched now and then, and asked when incidents and Birds are shown. Ingest never
// waits for it, and an inventory that is away leaves the last good copy in use, also over a restart.
import { createHash } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { findAssetCopy, putAssetCopy } from '../../stores/assets/store.ts'
import { readInventory } from './asset.ts'
import { emptyBook, openBook, type AssetBook } from './book.ts'

export interface Assets {
  /** What may be shown now: nothing while the integration is off. */
  book(): Promise<AssetBook>
  /** Whether the options name an inventory. */
  readonly isConfigured: boolean
  /** Fetches the export now, if the integration is on. Never rejects. */
  refresh(): Promise<void>
  status(): AssetStatus
  stop(): void
}

export interface AssetStatus {
  /** Assets in the copy in use. */
  readonly assets: number
  /** When the copy in use was fetched. */
  readonly fetchedAt: number | undefined
  /** Why the last fetch failed; empty when it did not. */
  readonly problem: string
}

export interface AssetSource {
  /** Empty: none is configured. */
  readonly url: string
  /** Sent as a bearer token; may be empty. */
  readonly token: string
}

const EVERY_MS = 300_000
const TIMEOUT_MS = 30_000
export const MOST_EXPORT_BYTES = 8 * 1024 * 1024

export function openAssets(
  { reader, writer, config, world, log }: Pick<Base, 'reader' | 'writer' | 'config' | 'world' | 'log'>,
  { url, token }: AssetSource,
): Assets {
  const { clock, outbound } = world
  const isConfigured = url !== ''
  const source = sha256(url)
  let book = emptyBook
  let digest = ''
  let fetchedAt: number | undefined
  let problem = ''
  let recalled: Promise<void> | undefined
  let fetching: Promise<void> | undefined
  let cancel = (): void => undefined
  let stopped = false

  const isOn = async (): Promise<boolean> =>
    isConfigured && (await config.get('settings', readSettings)).assetinv_enabled === 'true'

  async function fetchExport(): Promise<void> {
    const { status, body } = await outbound.send({
      url,
      method: 'GET',
      headers: { accept: 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_EXPORT_BYTES + 1,
    })
    if (status !== 200) throw new Fault('unavailable', `The inventory answered ${status}.`)
    if (Buffer.byteLength(body) > MOST_EXPORT_BYTES) {
      throw new Fault('too-large', `The export of the inventory is larger than ${MOST_EXPORT_BYTES} bytes.`)
    }
    const now = clock.now()
    // Most of the time nothing has changed: what was shown with this edition stays good.
    if (use(body, now)) await writer.write((tx) => putAssetCopy(tx, { source, body, fetched_at: now }))
    problem = ''
  }

  /** Answers whether it is another export than the one in use. Throws for one that cannot be read. */
  function use(body: string, at: number): boolean {
    const next = sha256(body)
    const isNew = next !== digest
    if (isNew) book = openBook(readInventory(body), book.edition + 1)
    digest = next
    fetchedAt = at
    return isNew
  }

  async function recall(): Promise<void> {
    try {
      const copy = await findAssetCopy(reader, source)
      if (copy) use(copy.body, copy.fetched_at)
    } catch (error) {
      log.warn({ err: error }, 'could not read the kept copy of the asset inventory')
    }
  }

  async function round(): Promise<void> {
    try {
      if (!(await isOn())) return
      await (recalled ??= recall())
      await fetchExport()
    } catch (error) {
      problem = error instanceof Fault ? error.message : 'The fetch failed.'
      log.warn(
        { err: error, assets: book.size },
        'could not fetch the asset inventory; the last good copy stays in use',
      )
    }
  }

  function refresh(): Promise<void> {
    fetching ??= round().finally(() => (fetching = undefined))
    return fetching
  }

  function next(): void {
    void refresh().then(() => {
      if (!stopped) cancel = clock.after(EVERY_MS, next)
    })
  }
  if (isConfigured) next()

  return {
    isConfigured,
    refresh,
    async book() {
      if (!(await isOn())) return emptyBook
      // Another console has just switched it on.
      if (fetchedAt === undefined && problem === '') void refresh()
      return book
    },
    status: () => ({ assets: book.size, fetchedAt, problem }),
    stop() {
      stopped = true
      cancel()
    },
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
