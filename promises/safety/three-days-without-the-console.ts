import { atLeast, exactly, type Case } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { outlastAbsence } from './lib/backlog.ts'
import { openDice } from './lib/dice.ts'

const backlog: Case = {
  id: 'G7',
  title:
    'a console is gone for 72 hours of a moved clock; its Bird takes 100,000 events and is killed 13 times',
  async run() {
    const dice = openDice()
    const events = sized(100_000, 600)
    const onKill = (done: number): unknown => process.stderr.write(`  ${done} kills\n`)
    const outlasted = await outlastAbsence({ events, dice, onKill })
    return {
      ok: outlasted.kills > 0,
      rows: [
        exactly('answered touches lost', outlasted.lost, '', 0),
        exactly('touches counted twice', outlasted.doubled, '', 0),
        exactly('touches out of order', outlasted.outOfOrder, '', 0),
        exactly('touches at another time', outlasted.mistimed, '', 0),
        exactly('alerts that sum up the backlog', outlasted.summaries, '', 1),
        exactly('other alerts', outlasted.otherAlerts, '', 0),
        atLeast('answered touches', outlasted.answered, '', events),
      ],
      note: `${outlasted.kills} kills, seed ${dice.seed}; all sent ${outlasted.drainSeconds.toFixed(1)} s after the console was back${scaleNote}`,
    }
  },
}
export default backlog
