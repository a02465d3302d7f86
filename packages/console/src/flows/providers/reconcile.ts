// Revokes what deleted tokens and lost creations left at providers, and what has a time to end, until each has succeeded.
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { reasonText } from '@rookery/tokens/provider-call.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import {
  deferRevocation,
  dueResources,
  nextDueAt,
  removeResource,
  takeBackResource,
  type ResourceRow,
} from '../../stores/providers/resources.store.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import { openHandle } from './handle-at-rest.ts'
import type { ProviderRegistry } from './registry.ts'

export interface ReconcilerDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'vault' | 'world' | 'log' | 'background'
> {
  readonly registry: Pick<ProviderRegistry, 'client'>
  /** Whether this console is the one that does it. */
  readonly isHeld: () => boolean
}

/** Things that are revoked at one go; the rest follows at once. */
const RESOURCES_PER_RUN = limit('revocations_of_a_run', 20)
const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 6 * 3_600_000
/** Another console may have deleted a token. */
const LOOK_MS = 30_000
const TASK = task('provider_resources', LOOK_MS, 'Revokes at providers what deleted tokens left')

export function openReconciler({
  reader,
  writer,
  vault,
  world: { clock },
  log,
  background,
  registry,
  isHeld,
}: ReconcilerDeps): WorkerLoop {
  async function revoke(row: ResourceRow): Promise<void> {
    const { token_id: tokenId, provider, kind, remote_id: remoteId } = row
    const isToEnd = row.state !== 'revoking'
    if (isToEnd && !(await writer.write((tx) => takeBackResource(tx, tokenId, clock.now())))) return
    try {
      const client = await registry.client(provider)
      const derive = deriver(kind, seedOf(vault, tokenId))
      await client.revoke({ tokenId, kind, remoteId, handle: openHandle(vault, row), derive })
    } catch (error) {
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(row.attempts, 20))
      const last_error = reasonText(error instanceof Error ? error.message : '')
      log.warn(
        { err: error, provider, tokenId },
        `a resource of the provider could not be revoked; retrying in ${wait / 60_000} min`,
      )
      await writer.write((tx) =>
        deferRevocation(tx, tokenId, {
          due_at: clock.now() + wait,
          attempts: row.attempts + 1,
          last_error,
        }),
      )
      return
    }
    await writer.write((tx) => removeResource(tx, tokenId))
    log.info({ provider, tokenId }, 'a resource of the provider is revoked')
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      if (!isHeld()) return undefined
      const due = await dueResources(reader, clock.now(), RESOURCES_PER_RUN.max)
      for (const row of due) if (isHeld()) await revoke(row)
      if (due.length === RESOURCES_PER_RUN.max) {
        RESOURCES_PER_RUN.hit()
        return clock.now()
      }
      const next = await nextDueAt(reader)
      return Math.min(next ?? Infinity, clock.now() + LOOK_MS)
    },
    onError(error) {
      log.warn({ err: error }, 'resources of providers could not be reconciled; retrying in 30 s')
      return LOOK_MS
    },
  })
  return loop
}
