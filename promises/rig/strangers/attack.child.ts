// One attack in a process of its own. Its parent sends { name, target, seconds }; it answers how much it did.
import { setPriority } from 'node:os'
import type { Target } from './attack.ts'
import { ATTACKS } from './attacks.ts'

export interface AttackJob {
  readonly name: string
  readonly target: Target
  readonly seconds: number
}

/** Attackers have machines of their own: here they run on what the console and its visitors leave of this one. */
const NICENESS = 10

setPriority(NICENESS)
process.on('message', ({ name, target, seconds }: AttackJob) => {
  const until = performance.now() + 1_000 * seconds
  const attack = ATTACKS[name]
  if (!attack) throw new Error(`There is no attack "${name}".`)
  attack
    .run(target, () => performance.now() >= until)
    .then(
      (done) => process.send?.(done, () => process.exit()),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
})
process.on('disconnect', () => process.exit())
