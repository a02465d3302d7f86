// What Birds report: each event counts once, and its Bird hears up to which one they are stored.
import { takeBirdBatches, type BirdIntake } from '../birds/batches.ts'
import type { OpenStage } from '../stage.ts'

export const birdEvents: OpenStage = (batch, { refusedEvents }) => {
  const birds = batch.items('bird')
  let taken: BirdIntake | undefined
  return {
    async load(tx) {
      taken = await takeBirdBatches(
        tx,
        birds.map((item) => item.batch),
      )
      const raised = taken.arrivals.filter((arrival) => batch.filter.judge(arrival) === 'raised')
      batch.arrivals = [...batch.arrivals, ...raised]
      batch.ofScans.push(...raised)
    },
    committed() {
      if (taken) refusedEvents.report(taken.refused)
      birds.forEach((item, index) => item.done(taken?.storedUpTo[index] ?? 0))
    },
  }
}
