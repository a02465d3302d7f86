// Visits of tokens, by whatever channel; the channel hears what to answer.
import type { OpenStage } from '../stage.ts'
import { takeTokenVisits, type TokenIntake } from '../tokens/visits.ts'

export const tokenVisits: OpenStage = (batch, { quietTouches }) => {
  const tokens = batch.items('token')
  const { cached, numbers } = batch
  let taken: TokenIntake | undefined
  return {
    async load() {
      const { visiting, loadVisits, filter, replays, firsts } = batch
      taken = await takeTokenVisits(
        cached,
        tokens.map(({ visit }) => visit),
        { dedup: visiting, loadVisits, filter, numbers, replays, firsts },
      )
      batch.arrivals = [...batch.arrivals, ...taken.arrivals]
      batch.ofTokens.push(...taken.arrivals)
      batch.amendments.push(...taken.amendments)
    },
    committed() {
      cached.commit()
      numbers.commit()
      if (taken) quietTouches.add(taken.quiet, taken.fired)
      tokens.forEach((item, index) => item.done(taken?.outcomes[index] ?? { kind: undefined, settings: {} }))
    },
  }
}
