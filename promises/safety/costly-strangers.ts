import { atMost, exactly, percentile, type Case } from '../rig/case.ts'
import { chosenParts } from '../rig/parts.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { judgementsMs } from '../rig/strangers/assertions.ts'
import { ATTACKS } from '../rig/strangers/attacks.ts'
import { besiege, type Siege } from '../rig/strangers/besiege.ts'

const SECONDS = 30
const WARM_UP_MS = 20_000
/** Of a token, while the connections of an attack arrive all at once. */
const ARRIVAL_ANSWER_MS = 500
/** Handshakes take turns, and who has begun one has a second. */
const TLS_ANSWER_MS = 2_000
const INCIDENT_MS = 1_000
const LEFT_MB = 20
/** Of a turn of the event loop. */
const JUDGED_MS = 5

const strangers: Case = {
  id: 'G13',
  title: 'costly strangers without a key, while visitors from elsewhere come to tokens, pages and decoys',
  async run() {
    const sieges = await besiege({
      names: chosenParts(Object.keys(ATTACKS)),
      seconds: sized(SECONDS, 5),
      warmUpMs: sized(WARM_UP_MS, 2_000),
      onAttack: (name) => process.stderr.write(`  ${name}\n`),
    })
    return {
      ok: sieges.every(({ done, tokenMs, loginMs }) => done > 0 && tokenMs.length > 0 && loginMs.length > 0),
      rows: [
        ...sieges.flatMap(rowsOf),
        atMost(
          'one SAML response of 27 KB, judged, p99',
          percentile(judgementsMs(300), 0.99),
          'ms',
          JUDGED_MS,
        ),
      ],
      note: `${sized(SECONDS, 5)} s each; done: ${sieges.map(({ done }) => done.toLocaleString('en-US')).join(', ')}${scaleNote}`,
    }
  },
}
export default strangers

const rowsOf = ({
  title,
  limits,
  tokenMs,
  arrivalTokenMs,
  bareMs,
  tokenTlsMs,
  pageMs,
  decoyMs,
  loginMs,
  failed,
  grownMb,
  leftMb,
}: Siege) => [
  exactly(`${title}: visits without an answer`, failed, '', 0),
  atMost('… a token, at most', Math.max(...tokenMs), 'ms', limits.answerMs, Math.max(...bareMs)),
  ...(arrivalTokenMs.length > 0
    ? [atMost('… a token while they arrive, at most', Math.max(...arrivalTokenMs), 'ms', ARRIVAL_ANSWER_MS)]
    : []),
  atMost('… a token by HTTPS, at most', Math.max(...tokenTlsMs), 'ms', TLS_ANSWER_MS),
  atMost('… a page, p99', percentile(pageMs, 0.99), 'ms', limits.answerMs),
  ...(limits.decoyMs === undefined
    ? []
    : [atMost('… another decoy, at most', Math.max(...decoyMs), 'ms', limits.decoyMs, Math.max(...bareMs))]),
  atMost('… a login until its incident', Math.max(...loginMs), 'ms', INCIDENT_MS),
  atMost('… memory, most', grownMb, 'MB', limits.growthMb),
  atMost('… memory that stays', leftMb, 'MB', LEFT_MB),
]
