// Enrolment codes: an operator gives one to a new Bird, which is then commissioned by itself.
import { Fault } from '@rookery/kernel/fault.ts'
import { newKeyId } from '@rookery/kernel/ids.ts'
import { formatEnrolment, SECRET_BYTES } from '@rookery/link/enrolment.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { addEnrolment, type EnrolmentRow } from '../../stores/birds/enrolments.store.ts'
import { findFlock, type Flock } from '../../stores/flocks/store.ts'
import { openConsoleKey } from './console-key.ts'

export interface NewEnrolment {
  readonly flockId: string
  /** How many Birds it may bring in, 1 to 10,000. */
  readonly uses: number
  readonly lifetimeMs: number
}

const MAX_USES = 10_000
const MAX_MS = 366 * 86_400_000

type EnrolDeps = Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>

/** A code (`RK-…`) and its row, which the caller stores; it has only a hash of the code. Throws `bad-input`. */
export async function newEnrolment(
  context: EnrolDeps,
  { flockId, uses, lifetimeMs }: NewEnrolment,
): Promise<{ readonly code: string; readonly row: EnrolmentRow }> {
  if (!Number.isInteger(uses) || uses < 1 || uses > MAX_USES) {
    throw new Fault('bad-input', `A code may be used 1 to ${MAX_USES} times, not ${uses}.`, {
      details: { uses: `must be a whole number from 1 to ${MAX_USES}` },
    })
  }
  if (!(lifetimeMs >= 1_000 && lifetimeMs <= MAX_MS)) {
    throw new Fault('bad-input', 'A code lives at least a second and at most 366 days.', {
      details: { lifetime: 'must be from one second to 366 days' },
    })
  }
  const { vault, world } = context
  const { publicKey } = await openConsoleKey(context)
  const secret = world.random.bytes(SECRET_BYTES)
  const now = world.clock.now()
  const row = {
    code_hash: enrolmentHash(vault, Buffer.from(secret).toString('hex')),
    enrolment_id: newKeyId(world.random),
    flock_id: flockId,
    uses_left: uses,
    expires_at: now + Math.round(lifetimeMs),
    created_at: now,
  }
  return { code: formatEnrolment(secret, publicKey), row }
}

/** Makes and stores a code, as the console's own machine asks. Throws `not-found` for an unknown Flock, too. */
export async function createEnrolment(context: EnrolDeps, asked: NewEnrolment): Promise<string> {
  const { flockId, uses, lifetimeMs } = asked
  const { code, row } = await newEnrolment(context, asked)
  const make = async (tx: Tx): Promise<Flock> => {
    const flock = await findFlock(tx.query, 'all', flockId)
    if (!flock)
      throw new Fault(
        'not-found',
        `There is no Flock ${JSON.stringify(flockId)}: give the id of one, such as flock:default.`,
      )
    await addEnrolment(tx, row)
    return flock
  }
  await context.writer.write(make, 'care', ({ name }) => [
    systemEntry(
      context.world.clock,
      'local',
      'enrolment.add',
      'Make an enrolment code',
      { uses, minutes: Math.round(lifetimeMs / 60_000) },
      { flockId, flockName: name },
    ),
  ])
  return code
}

/** How the secret of a code is found again; `secret` is hex. */
export const enrolmentHash = (vault: AppContext['vault'], secret: string): string =>
  vault.digest('enrolment', secret)
