// Whether the database serves this console: it answers reads, and it takes writes. For load balancers.
import type { Clock } from '@rookery/kernel/world.ts'
import { coalesce } from './coalesce.ts'
import type { Engine } from './engine.ts'
import { touchDatabase } from './meta.store.ts'
import { outageFault, type Writer } from './writer.ts'

export interface ReadinessDeps {
  readonly engine: Pick<Engine, 'reader' | 'diagnose' | 'isDamaged' | 'place'>
  readonly writer: Pick<Writer, 'write' | 'uncommittedMs' | 'sinceCommitMs'>
  readonly clock: Pick<Clock, 'after'>
}

/** How long an answer of the database may take. */
const ANSWER_MS = 1_000
/** How long something may wait to be written. */
const COMMIT_MS = 10_000

export interface Readiness {
  /** Resolves with what is wrong, in one sentence; with undefined when all is well. */
  check(): Promise<string | undefined>
  /** The same of reads alone. */
  ask(): Promise<string | undefined>
  /** Whether the last read that was asked for had no answer in time. */
  isSilent(): boolean
}

export function openReadiness({ engine, writer, clock }: ReadinessDeps, commitMs = COMMIT_MS): Readiness {
  let isSilent = false
  const read = coalesce(() => touchDatabase(engine.reader))
  // Without changes: it takes the lock that every write needs, and commits.
  const write = coalesce(() => writer.write(() => Promise.resolve()))

  function withinTime(answer: Promise<void>, onLate?: () => void): Promise<string | undefined> {
    const late = Promise.withResolvers<string>()
    const cancel = clock.after(ANSWER_MS, () => {
      onLate?.()
      late.resolve(outageFault('away', engine.place).message)
    })
    const answered = answer.then(
      () => undefined,
      (error: unknown) => {
        const kind = engine.diagnose(error)
        return outageFault(kind === 'other' ? 'away' : kind, engine.place).message
      },
    )
    return Promise.race([answered, late.promise]).finally(cancel)
  }

  async function ask(): Promise<string | undefined> {
    let isLate = false
    const problem = await withinTime(read(), () => (isLate = true))
    isSilent = isLate
    return problem
  }

  async function check(): Promise<string | undefined> {
    const problem = await ask()
    if (engine.isDamaged()) return outageFault('damaged', engine.place).message
    if (problem !== undefined) return problem
    if (writer.sinceCommitMs() >= commitMs) await withinTime(write())
    const waitingMs = writer.uncommittedMs()
    return waitingMs < commitMs
      ? undefined
      : `The database takes no writes: nothing was committed for ${Math.round(waitingMs / 1_000)} s in ${engine.place}.`
  }

  return { check, ask, isSilent: () => isSilent }
}
