import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { openDice } from './lib/dice.ts'
import { FAULTS, type FaultName } from './lib/two-consoles/faults.ts'
import { surviveSideBySide } from './lib/two-consoles/side-by-side.ts'

const AGAIN_MS = 6_000
const AGAIN_AFTER_HOST_MS = 25_000
/** 200 of each fault take three hours one by one, and keep the machine idle for most of them. */
const PAIRS = 3

const twoConsoles: Case = {
  id: 'G6',
  title:
    'two consoles on PostgreSQL with a synchronous standby, six faults 200 times each in random order, while visitors touch tokens of both; three such pairs side by side',
  async run() {
    const dice = openDice()
    process.stderr.write(`  seed ${dice.seed}\n`)
    const each = sized(200, 2)
    const survived = await surviveSideBySide(PAIRS, {
      each,
      dice,
      onFault: (done, of, name, againMs) =>
        process.stderr.write(`  ${done} of ${of}: ${name}, writes again after ${Math.round(againMs)} ms\n`),
    })
    if (survived.names.length > 0) process.stderr.write(`  ${survived.names.join(', ')}\n`)
    const names = Object.keys(FAULTS) as FaultName[]
    return {
      ok: survived.miscounted === 0 && survived.splitIncidents === 0,
      rows: [
        exactly('answered touches lost', survived.lost, '', 0),
        exactly('touches counted twice', survived.doubled, '', 0),
        exactly('alerts missing', survived.alertsMissing, '', 0),
        exactly('incidents alerted twice', survived.alertsDoubled, '', 0),
        exactly('answered changes lost', survived.changesLost, '', 0),
        exactly('changes made twice', survived.changesDoubled, '', 0),
        exactly('changes made and answered with an error', survived.changesRefused, '', 0),
        ...names.map((name) =>
          atMost(
            `${name}: writes again, at most`,
            Math.max(...(survived.againMs.get(name) ?? [Number.NaN])),
            'ms',
            name === "primary's host gone" ? AGAIN_AFTER_HOST_MS : AGAIN_MS,
          ),
        ),
        atLeast('answered touches', survived.answered, '', each * names.length * 10),
        atLeast('incidents', survived.incidents, '', each * names.length),
      ],
      note: `${each * names.length} faults, seed ${dice.seed}; ${survived.unanswered} visits without an answer, the slowest answer ${Math.round(survived.longestMs)} ms${scaleNote}`,
    }
  },
}
export default twoConsoles
