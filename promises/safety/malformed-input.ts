import { atLeast, atMost, exactly, type Case, type Row } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { abuse, type Abused } from './lib/abuse.ts'
import { openDice } from './lib/dice.ts'
import { readMutatedDatabases, type MutatedDatabases } from './lib/mutated-databases.ts'
import { LOGIN_PROTOCOLS, readMutated, type MutatedLogins } from './lib/mutated-logins.ts'
import { everyCodec } from './lib/mutations/codecs.ts'
import { inProcesses, type CodecReport } from './lib/mutations/processes.ts'

const REQUESTS = sized(100_000, 1_000)
const MUTATIONS = sized(1_000_000, 10_000)
const GROWTH_MB = 32
/** Four addresses, each of at most 4,096 values and some steps through the tree. */
const MAX_READS = 50_000
/** Processor time of one conversation with a decoy. */
const SLOWEST_MS = 2_000
/** DNS by UDP and by TCP, HTTP, HTTPS with and without its TLS, MySQL, PostgreSQL. */
const TOKEN_LISTENERS = 7

const say = (text: string): void => void process.stderr.write(`  ${text}\n`)

const malformed: Case = {
  id: 'G5',
  title:
    '100,000 malformed requests made from the contract, garbage at the link, at each listener of a token channel and at each port of every decoy, within TLS too; 1,000,000 mutated frames for each decoy’s codec, DNS queries, WireGuard messages, logins of MySQL and PostgreSQL, and databases of addresses',
  async run() {
    const dice = openDice()
    const abused = await abuse({
      requests: REQUESTS,
      dice,
      onTenth: (done) => say(`${done} of 10 tenths`),
    })
    const logins = LOGIN_PROTOCOLS.map((name) => ({ name, ...readMutated(name, MUTATIONS, dice) }))
    const geography = readMutatedDatabases(MUTATIONS, dice)
    const codecs = await inProcesses(
      Object.keys(await everyCodec()).map((name) => ({
        name,
        frames: MUTATIONS,
        seed: `${dice.seed}/${name}`,
      })),
      { onDone: ({ name, frames, perSecond }) => say(`${name}: ${frames}, ${Math.round(perSecond)}/s`) },
    )
    for (const { failures } of [abused, ...logins, geography, ...codecs]) failures.forEach(say)
    if (abused.logged !== '') say(abused.logged)
    return {
      ok: abused.logged === '' && (abused.statuses.get(400) ?? 0) > 0 && (abused.statuses.get(200) ?? 0) > 0,
      rows: [
        ...rowsOfAbuse(abused),
        ...logins.flatMap(rowsOfLogins),
        ...rowsOfDatabases(geography),
        ...rowsOfCodecs(codecs),
      ],
      note: `seed ${dice.seed}; ${memoryOf(abused)}; answers ${statusesOf(abused)}; frames a second: ${codecs.map(({ name, perSecond }) => `${name} ${Math.round(perSecond)}`).join(', ')}${scaleNote}`,
    }
  },
}
export default malformed

function rowsOfAbuse(abused: Abused): readonly Row[] {
  const failed = [...abused.statuses].filter(([status]) => status >= 500).reduce((sum, [, n]) => sum + n, 0)
  const { residentMb } = abused
  const growth = (residentMb.at(-1) ?? NaN) - (residentMb[0] ?? NaN)
  return [
    exactly('answers 5xx', failed, '', 0),
    exactly('crashes', abused.crashes, '', 0),
    atMost('growth after the first tenth', growth, 'MB', GROWTH_MB),
    atLeast('requests', abused.requests, '', REQUESTS),
    atLeast('mutated WireGuard messages', abused.datagrams, '', MUTATIONS),
    atLeast('decoy ports with garbage within TLS', abused.tlsPorts, '', 1),
    atLeast(
      `listeners of token channels with garbage: ${abused.tokenListeners.join(', ')}`,
      abused.tokenListeners.length,
      '',
      TOKEN_LISTENERS,
    ),
    atLeast(
      'sessions of garbage at the link, the decoys and the token channels',
      abused.sessions,
      '',
      abused.requests / 50,
    ),
  ]
}

const rowsOfLogins = ({
  name,
  packets,
  failed,
}: MutatedLogins & { readonly name: string }): readonly Row[] => [
  exactly(`mutated logins of ${name} that broke the codec`, failed, '', 0),
  atLeast(`mutated logins of ${name}`, packets, '', MUTATIONS),
]

const rowsOfDatabases = ({ failed, databases, mostReads }: MutatedDatabases): readonly Row[] => [
  exactly('mutated databases of addresses that broke their reader', failed, '', 0),
  atLeast('mutated databases of addresses', databases, '', MUTATIONS),
  atMost('reads of one of them', mostReads, '', MAX_READS),
]

/** One that hung or was never heard has no figures, and breaks each row. */
const rowsOfCodecs = (codecs: readonly CodecReport[]): readonly Row[] => [
  ...codecs.flatMap(({ name, frames, failed, growthMb }) => [
    atLeast(`mutated frames of ${name}`, frames, '', MUTATIONS),
    exactly(`conversations of ${name} that broke it`, failed, '', 0),
    atMost(`growth of ${name} after the first tenth`, growthMb, 'MB', GROWTH_MB),
  ]),
  atMost(
    'slowest conversation, processor time',
    Math.max(...codecs.map(({ slowestMs }) => slowestMs)),
    'ms',
    SLOWEST_MS,
  ),
  exactly('codecs whose frames came nowhere', codecs.filter(({ isHeard }) => !isHeard).length, '', 0),
]

const memoryOf = ({ residentMb, heapMb }: Abused): string =>
  `MB after each tenth: ${residentMb.map(Math.round).join(', ')}, of which heap ${heapMb.map(Math.round).join(', ')}`

const statusesOf = ({ statuses }: Abused): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${status}: ${n}`)
    .join(', ')
