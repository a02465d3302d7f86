import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { openDice } from './lib/dice.ts'
import { survivePowerCuts } from './lib/power-cuts.ts'

/** A decoy's touch is synced within this time, by a timer that is as late as all are. */
const MAX_LOST_MS = 50

const ms = (value: number): string => `${Math.round(value)} ms`

const powerCuts: Case = {
  id: 'G2',
  title:
    'the power is cut 300 times while visitors touch tokens and a decoy: what was not fsynced is gone, or torn',
  async run() {
    const dice = openDice()
    const cuts = sized(300, 10)
    const controls = sized(20, 10)
    const onCut = (done: number): unknown => process.stderr.write(`  ${done} of ${cuts} cuts\n`)
    const survived = await survivePowerCuts({ cuts, dice, synchronous: 'FULL', onCut })
    const control = await survivePowerCuts({ cuts: controls, dice, synchronous: 'NORMAL', keepsSetUp: true })
    for (const problem of [...survived.damaged, ...control.damaged, ...control.unlike, ...survived.unlike])
      process.stderr.write(`  ${problem}\n`)
    const late = median(survived.timersLateMs)
    return {
      ok: survived.unlike.length === 0 && control.unlike.length === 0 && survived.cuts === cuts,
      rows: [
        exactly('acknowledged hits lost', survived.lostHits, '', 0),
        exactly('hits counted twice', survived.doubledHits, '', 0),
        atMost(
          'oldest touch of the decoy lost, p50',
          median(survived.oldestLostMs),
          'ms',
          MAX_LOST_MS + late,
          late,
        ),
        exactly('touches of the decoy counted twice', survived.doubledTouches, '', 0),
        exactly('installations damaged', survived.damaged.length, '', 0),
        atLeast('acknowledged hits', survived.hits, '', cuts),
        atLeast('answered touches of the decoy', survived.touches, '', cuts),
        atLeast('changes that the cuts could take', survived.unsynced, '', cuts),
        atLeast('control, synchronous=NORMAL: acknowledged hits lost', control.lostHits, '', 1),
      ],
      note: `${cuts} cuts, seed ${dice.seed}; half of them drop everything that was not synced, half drop, keep or tear each write; every tenth comes right after the set-up; the oldest touch lost was ${ms(Math.max(...survived.oldestLostMs))} old, timers were late by up to ${ms(Math.max(...survived.timersLateMs))}; reference: how late, p50; control: ${controls} cuts, ${control.hits} hits${scaleNote}`,
    }
  },
}
export default powerCuts
