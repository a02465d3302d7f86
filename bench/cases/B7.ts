// Receivers do not wait for each other: a healthy one beside one that is slow, one that hangs and one that fails.
import { atLeast, atMost, type Case } from '../case.ts'
import { onAlerts, p50, p99 } from '../lib/alerts.ts'
import { answer500, hang, slowly } from '../lib/receiver.ts'
import { scaleNote, sized } from '../lib/scale.ts'

const PER_SECOND = 50
const TOKENS = 200
const SLOW_MS = 1_500

const undisturbed: Case = {
  id: 'B7',
  title: 'a healthy receiver while others take 1.5 s, hang, answer 500',
  run: () =>
    onAlerts(TOKENS, async ({ touch, join }) => {
      await touch(PER_SECOND, sized(500, 100))
      const count = sized(1_500, 150)
      const alone = await touch(PER_SECOND, count)
      const ill = await Promise.all([join(slowly(SLOW_MS)), join(hang), join(answer500)])
      const beside = await touch(PER_SECOND, count)
      const fewest = Math.min(...ill.map(({ alerts }) => alerts.length))
      return {
        ok: fewest > 0 && beside.length === count,
        rows: [
          atMost('p99 beside ill receivers', p99(beside), 'ms', 2 * p99(alone), p99(alone)),
          atMost('p50 beside ill receivers', p50(beside), 'ms', 2 * p50(alone), p50(alone)),
          atLeast('tries of the least tried of them', fewest, '', 1),
        ],
        note: `${count} touches each, 50 a second; beside: the healthy receiver alone, in the same run${scaleNote}`,
      }
    }),
}
export default undisturbed
