// Planting: tokens that are asked for while one transaction is being written go into the next together.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Base } from '../../base.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { flockNamesOf, noFlock } from '../../stores/flocks/store.ts'
import { addTokens, type TokenRow } from '../../stores/tokens/store.ts'
import { kindNamed } from './kind.ts'
import { place, underDomain, type Ground } from './placement.ts'
import { settingsOf } from './settings.ts'

export interface Seed {
  readonly kind: string
  readonly memo: string
  readonly flockId: string
  /** Instead of the console's own domain. */
  readonly customDomain?: string | undefined
  /** Everything else that the caller gave; the kind takes what it knows. */
  readonly given: Readonly<Record<string, unknown>>
  /** Key id of the maker. */
  readonly createdBy: string
  /** The factory, or empty. */
  readonly factoryKeyId: string
  /** The row of the audit trail, written with the token. */
  readonly trail: Call['trail']
}

/** Makes a token; resolves after the commit. */
export type Plant = (seed: Seed) => Promise<TokenRow>

const TOKENS_PER_BATCH = 512
const DOMAIN = /^(?=.{1,200}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

interface Waiting {
  readonly row: TokenRow
  readonly trail: Seed['trail']
  readonly resolve: (row: TokenRow) => void
  readonly reject: (reason: unknown) => void
}

export function openPlant(
  { writer, vault, world }: Pick<Base, 'writer' | 'vault' | 'world'>,
  ground: Ground,
): Plant {
  const { random, clock } = world
  let waiting: Waiting[] = []
  let scheduled = false

  function grow(seed: Seed): TokenRow {
    const kind = kindNamed(seed.kind)
    const { customDomain } = seed
    if (customDomain !== undefined && !DOMAIN.test(customDomain)) {
      throw new Fault('bad-input', 'Parameter custom_domain was invalid.', {
        details: { custom_domain: 'must be a domain name' },
      })
    }
    const settings = settingsOf(kind.descriptor, seed.given)
    const tokenId = newTokenId(random, vault)
    const placement = place(
      tokenId,
      customDomain === undefined ? ground : underDomain(ground, customDomain),
      random,
    )
    return {
      token_id: tokenId,
      number: 0,
      kind: seed.kind,
      memo: seed.memo,
      flock_id: seed.flockId,
      settings: JSON.stringify(settings),
      renders: JSON.stringify(kind.forge(placement, settings).renders),
      url: placement.url,
      hostname: placement.hostname,
      enabled: 1,
      created_at: clock.now(),
      created_by: seed.createdBy,
      factory_key_id: seed.factoryKeyId,
      triggered_count: 0,
      updated_id: 0,
    }
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    let taken: Waiting[] = []
    writer
      .write(
        (tx) => {
          // Taken when the transaction begins, not when it was asked for; a second try takes the same.
          if (taken.length === 0) taken = take()
          return store(tx, taken)
        },
        'care',
        ({ trail }) => trail,
      )
      .then(
        ({ settle }) => settle(),
        (reason: unknown) => {
          if (taken.length === 0) taken = take()
          for (const { reject } of taken) reject(reason)
        },
      )
  }

  function take(): Waiting[] {
    const taken = waiting.slice(0, TOKENS_PER_BATCH)
    waiting = waiting.slice(TOKENS_PER_BATCH)
    scheduled = false
    if (waiting.length > 0) schedule()
    return taken
  }

  return async (seed) => {
    const row = grow(seed)
    return new Promise((resolve, reject) => {
      waiting.push({ row, trail: seed.trail, resolve, reject })
      schedule()
    })
  }
}

interface Stored {
  readonly trail: readonly AuditEntry[]
  /** Settles the callers once the batch is committed. */
  readonly settle: () => void
}

async function store(tx: Tx, batch: readonly Waiting[]): Promise<Stored> {
  const flocks = await flockNamesOf(tx, [...new Set(batch.map(({ row }) => row.flock_id))])
  const planted = batch.filter(({ row }) => flocks.has(row.flock_id))
  const first = planted.length > 0 ? await tx.updatedIds(planted.length) : 0
  const rows = planted.map(({ row }, index) => ({ ...row, number: first + index, updated_id: first + index }))
  await addTokens(tx, rows)
  return {
    trail: planted.map(({ row, trail }) =>
      trail(
        { flockId: row.flock_id, flockName: flocks.get(row.flock_id) ?? '' },
        { decoytoken: row.token_id },
      ),
    ),
    settle() {
      planted.forEach(({ resolve }, index) => resolve(rows[index] as TokenRow))
      for (const { row, reject } of batch) {
        if (!flocks.has(row.flock_id)) reject(noFlock())
      }
    },
  }
}
