// Receivers do not wait for each other: a healthy one next to one that is slow, one that hangs and one that fails.
import { atLeast, atMost, type Case } from '../rig/case.ts'
import { onAlerts, p50, p99 } from '../rig/scenes/alerts.ts'
import { answer500, hang, slowly } from '../rig/scenes/receiver.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const PER_SECOND = 50
const TOKENS = 200
const SLOW_MS = 1_500
const ROUNDS = 3

const undisturbed: Case = {
  id: 'B7',
  title: 'a healthy receiver while others take 1.5 s, hang, answer 500',
  run: () =>
    onAlerts(TOKENS, async ({ touch, join, leave }) => {
      await touch(PER_SECOND, sized(500, 100))
      const count = sized(600, 100)
      const tries: number[] = []
      const { ours: together, theirs: alone } = await alternate(
        ROUNDS,
        async () => {
          const ill = await Promise.all([join(slowly(SLOW_MS)), join(hang), join(answer500)])
          const delays = await touch(PER_SECOND, count)
          tries.push(...ill.map(({ alerts }) => alerts.length))
          await Promise.all(ill.map(leave))
          return delays
        },
        () => touch(PER_SECOND, count),
      )
      const fewest = Math.min(...tries)
      const p99Alone = median(alone.map(p99))
      const p50Alone = median(alone.map(p50))
      return {
        ok: fewest > 0 && together.every((delays) => delays.length === count),
        rows: [
          atMost('p99 next to failing receivers', median(together.map(p99)), 'ms', 2 * p99Alone, p99Alone),
          atMost('p50 next to failing receivers', median(together.map(p50)), 'ms', 2 * p50Alone, p50Alone),
          atLeast('tries of the least tried of them', fewest, '', 1),
        ],
        note: `${ROUNDS} rounds of ${count} touches, 50 a second; reference: the healthy receiver alone, in rounds between${scaleNote}`,
      }
    }),
}
export default undisturbed
