import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { openDice } from './lib/dice.ts'
import { surviveKills } from './lib/kills.ts'
import { startUnreaped } from './lib/unreaped.ts'

const kills: Case = {
  id: 'G1',
  title: 'SIGKILL of the console, 1,000 times, while visitors touch tokens and a Bird sends its spool',
  async run() {
    const dice = openDice()
    const count = sized(1_000, 12)
    const survived = await surviveKills({
      kills: count,
      dice,
      onKill: (done) => done % 50 === 0 && process.stderr.write(`  ${done} of ${count} kills\n`),
    })
    const starts = sized(200, 3)
    const unreaped = await startUnreaped(starts)
    return {
      ok: survived.integrity === 'ok' && survived.miscounted === 0,
      rows: [
        exactly('acknowledged hits lost', survived.lostHits, '', 0),
        exactly('hits counted twice', survived.doubledHits, '', 0),
        exactly('acknowledged events of the Bird lost', survived.lostEvents, '', 0),
        exactly('events counted twice', survived.doubledEvents, '', 0),
        exactly('events miscounted', survived.miscounted, '', 0),
        atLeast('acknowledged hits', survived.hits, '', count),
        atLeast('acknowledged events', survived.events, '', count),
        atMost('ready again, p50', median(survived.readyMs), 'ms', 500),
        exactly('starts refused behind killed consoles that nobody reaps', unreaped.refused, '', 0),
        atLeast('killed consoles that nobody had reaped at the end', unreaped.zombies, '', starts),
      ],
      note: `${count} kills, seed ${dice.seed}; slowest start ${Math.round(Math.max(...survived.readyMs))} ms; integrity ${survived.integrity}${scaleNote}`,
    }
  },
}
export default kills
