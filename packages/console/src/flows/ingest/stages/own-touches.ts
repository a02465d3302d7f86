// What the console itself noticed.
import { logtypeOf } from '../../../logtypes.ts'
import type { Arrival } from '../../raise/arrival.ts'
import type { ConsoleTouch } from '../ingest-item.ts'
import type { OpenStage } from '../stage.ts'

export const ownTouches: OpenStage = (batch) => {
  const own = batch.items('console')
  return {
    load() {
      batch.arrivals = [...batch.arrivals, ...own.map((item) => arrivalOf(item.console))]
      return Promise.resolve()
    },
    committed() {
      for (const { done } of own) done()
    },
  }
}

const arrivalOf = ({ touch, subject, receivedAt }: ConsoleTouch): Arrival => ({
  touch,
  subject,
  receivedAt,
  logtype: logtypeOf(touch.logtype),
  late: false,
})
