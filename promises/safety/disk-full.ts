import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import { cannotMount, fillTheDisk } from './lib/disk-full.ts'

const full: Case = {
  id: 'G3',
  title: 'a disk that is full, a restart while it is, and room again',
  async run() {
    const reason = await cannotMount()
    if (reason !== undefined) return { ok: false, rows: [], note: `not measured: ${reason}` }
    const found = await fillTheDisk()
    return {
      ok: found.failures.length === 0 && found.integrity === 'ok',
      rows: [
        exactly('acknowledged hits lost', found.lostHits, '', 0),
        exactly('hits counted twice', found.doubledHits, '', 0),
        exactly('acknowledged events of the Bird lost', found.lostEvents, '', 0),
        exactly('events counted twice', found.doubledEvents, '', 0),
        exactly('promises broken while it was full', found.failures.length, '', 0),
        atLeast('touches answered from memory meanwhile', found.held, '', 1),
        atMost('ready after a start on the full disk', found.readyFullMs, 'ms', 2_000),
        atMost('events taken again after it had grown', found.recoveredMs, 'ms', 10_000),
      ],
      note: [
        `${found.hits} hits and ${found.events} events acknowledged; integrity ${found.integrity}`,
        ...found.failures,
      ].join('\n  '),
    }
  },
}
export default full
