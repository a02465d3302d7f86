// The asset inventory: its export is fetched every five minutes, and looked up when incidents and Birds are shown. While
// it is unavailable, the last good copy stays in use, also after a restart.
import { createHash } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { findAssetCopy, putAssetCopy } from '../../stores/assets/store.ts'
import { readInventory } from './asset.ts'
import { emptyAssetIndex, buildAssetIndex, type AssetIndex } from './asset-index.ts'

export interface Assets {
  /** What may be shown now: nothing while the integration is off. */
  index(): Promise<AssetIndex>
  /** Whether the options name an inventory. */
  readonly isConfigured: boolean
  /** Why it is never asked: its address is not admitted. */
  readonly refusal: string | undefined
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
const TASK = task('assets', EVERY_MS, 'Fetches the asset inventory')
/** The export of an asset inventory. */
const EXPORT_BYTES = limit('inventory_bytes', 8 * 1024 * 1024)

/** The export in use. */
interface Copy {
  readonly index: AssetIndex
  readonly digest: string
  readonly fetchedAt: number | undefined
}

export function openAssets(
  {
    reader,
    writer,
    config,
    world,
    log,
    background,
  }: Pick<AppContext, 'reader' | 'writer' | 'config' | 'world' | 'log' | 'background'>,
  { url, token }: AssetSource,
): Assets {
  const { clock, outbound } = world
  const isConfigured = url !== ''
  const source = sha256(url)
  let copy: Copy = { index: emptyAssetIndex, digest: '', fetchedAt: undefined }
  let problem = ''
  let isRestored = false

  const isOn = async (): Promise<boolean> =>
    isConfigured && (await config.get('settings', readSettings)).assetinv_enabled === 'true'

  /** Answers whether it is another export than the one in use. Throws for one that cannot be read. */
  function use(body: string, fetchedAt: number): boolean {
    const digest = sha256(body)
    const isNew = digest !== copy.digest
    const index = isNew ? buildAssetIndex(readInventory(body), copy.index.edition + 1) : copy.index
    copy = { index, digest, fetchedAt }
    return isNew
  }

  /** Takes the stored copy of an earlier run. */
  async function restore(): Promise<void> {
    isRestored = true
    try {
      const stored = await findAssetCopy(reader, source)
      if (stored) use(stored.body, stored.fetched_at)
    } catch (error) {
      log.warn({ err: error }, 'could not read the stored copy of the asset inventory')
    }
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      if (!isConfigured) return undefined
      if (await isOn()) {
        if (!isRestored) await restore()
        const body = await fetchExport(outbound, url, token)
        const fetched_at = clock.now()
        // Mostly nothing has changed: texts that were made with this edition stay valid.
        if (use(body, fetched_at)) await writer.write((tx) => putAssetCopy(tx, { source, body, fetched_at }))
        problem = ''
      }
      return clock.now() + EVERY_MS
    },
    onError(error) {
      problem = error instanceof Fault ? error.message : 'The fetch failed.'
      log.warn(
        { err: error, assets: copy.index.size },
        'could not fetch the asset inventory; the last good copy stays in use',
      )
      return EVERY_MS
    },
  })
  loop.wake()

  return {
    isConfigured,
    refusal: outbound.refusal?.(url),
    refresh() {
      loop.wake()
      return loop.idle()
    },
    async index() {
      if (!(await isOn())) return emptyAssetIndex
      // Another console has just switched it on.
      if (!isRestored) loop.wake()
      return copy.index
    },
    status: () => ({ assets: copy.index.size, fetchedAt: copy.fetchedAt, problem }),
    // A fetch may take long: nobody waits for it.
    stop: () => void loop.stop(),
  }
}

/** The export as text; `unavailable` or `too-large` where there is none that can be used. */
async function fetchExport(outbound: Outbound, url: string, token: string): Promise<string> {
  const { status, body } = await outbound.send({
    url,
    method: 'GET',
    headers: { accept: 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    timeoutMs: TIMEOUT_MS,
    mostBytes: EXPORT_BYTES.max + 1,
  })
  if (status !== 200) throw new Fault('unavailable', `The inventory answered ${status}.`)
  if (Buffer.byteLength(body) <= EXPORT_BYTES.max) return body
  EXPORT_BYTES.hit()
  throw new Fault('too-large', `The export of the inventory is larger than ${EXPORT_BYTES.max} bytes.`)
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
