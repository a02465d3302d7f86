// Enrolment codes: an operator gives one to a new Bird, which is then commissioned by itself.
import { Fault } from '@rookery/kernel/fault.ts'
import { formatEnrolment, SECRET_BYTES } from '@rookery/link/enrolment.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { addEnrolment } from '../../stores/birds/enrolments.store.ts'
import { existingFlock, type Flock } from '../../stores/flocks/store.ts'
import { openConsoleKey } from './console-key.ts'

export interface NewEnrolment {
  readonly flockId: string
  /** How many Birds it may bring in, 1 to 10,000. */
  readonly uses: number
  readonly lifetimeMs: number
}

const MOST_USES = 10_000
const LONGEST_MS = 366 * 86_400_000

/** Makes a code (`RK-…`); only its hash is kept. Throws `bad-input`, or `not-found` for an unknown Flock. */
export async function createEnrolment(
  base: Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'>,
  { flockId, uses, lifetimeMs }: NewEnrolment,
): Promise<string> {
  if (!Number.isInteger(uses) || uses < 1 || uses > MOST_USES) {
    throw new Fault('bad-input', `A code may be used 1 to ${MOST_USES} times, not ${uses}.`, {
      details: { uses: `must be a whole number from 1 to ${MOST_USES}` },
    })
  }
  if (!(lifetimeMs >= 1_000 && lifetimeMs <= LONGEST_MS)) {
    throw new Fault('bad-input', 'A code lives at least a second and at most 366 days.', {
      details: { expires: 'must be from one second to 366 days' },
    })
  }
  const { publicKey } = await openConsoleKey(base)
  const secret = base.world.random.bytes(SECRET_BYTES)
  const now = base.world.clock.now()
  const make = async (tx: Tx): Promise<Flock> => {
    const flock = await existingFlock(tx.query, 'all', flockId)
    await addEnrolment(tx, {
      code_hash: enrolmentHash(base.vault, Buffer.from(secret).toString('hex')),
      flock_id: flockId,
      uses_left: uses,
      expires_at: now + Math.round(lifetimeMs),
      created_at: now,
    })
    return flock
  }
  await base.writer.write(make, 'care', ({ name }) => [
    systemEntry(
      base.world.clock,
      'local',
      'enrolment.add',
      'Make an enrolment code',
      { uses, minutes: Math.round(lifetimeMs / 60_000) },
      { flockId, flockName: name },
    ),
  ])
  return formatEnrolment(secret, publicKey)
}

/** How the secret of a code is found again; `secret` is hex. */
export const enrolmentHash = (vault: AppContext['vault'], secret: string): string =>
  vault.digest('enrolment', secret)
