// How often each token was touched, and when last.
import { countTriggers } from '../../../stores/tokens/store.ts'
import type { OpenStage } from '../stage.ts'

export const triggerCounts: OpenStage = (batch) => ({
  async store(tx) {
    const touches = new Map<number, { n: number; at: number }>()
    for (const { token, receivedAt } of batch.ofTokens) {
      if (!token) continue
      const { n, at } = touches.get(token.number) ?? { n: 0, at: 0 }
      touches.set(token.number, { n: n + 1, at: Math.max(at, receivedAt) })
    }
    if (touches.size === 0) return
    const updated_id = await tx.updatedIds(1)
    await countTriggers(
      tx,
      Array.from(touches, ([number, { n, at }]) => ({
        number,
        updated_id,
        triggered_count: n,
        touched_at: at,
      })),
    )
  },
})
