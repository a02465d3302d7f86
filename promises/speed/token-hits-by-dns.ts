// Token hits over DNS, durable, through the whole pipeline; and names without a token, which must cost nothing.
import { atLeast, exactly, type Case, type Row } from '../rig/case.ts'
import { startConsole } from '../rig/scenes/console.ts'
import { floodWithDatagrams } from '../rig/load/datagram-flood.ts'
import { openDnsLoader, RESOLVERS, type DnsLoad } from '../rig/load/dns-load.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { settledBytes, writtenBytes } from '../rig/process.ts'
import { alternate, median, type Rounds } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { countedEvents } from '../rig/scenes/stored.ts'
import { plantTokens } from '../rig/scenes/tokens.ts'

const TOKENS = 2_000
/** Every pair of a token and a resolver once: until they are through, each hit begins an incident. */
const PAIRS = TOKENS * RESOLVERS
const ROUNDS = 7
const ZONE = 'tokens.localhost'

/** As long as names of tokens, and none of one. */
const misses = Array.from({ length: 1_000 }, (_, n) => `${String(n).padStart(25, 'a')}.${ZONE}`)

const dnsHits: Case = {
  id: 'B2',
  title:
    'token hits by DNS, each stored before its answer, 2,000 tokens, 256 resolvers, every hit a visit of its own; names without a token; forged WireGuard messages',
  async run() {
    const folder = freshFolder()
    const loader = openDnsLoader()
    const console = await startConsole({ dataDir: folder, env: { ROOKERY_TOKENS_DOMAIN: ZONE } })
    const sketch = await startSketch('dns', folder)
    try {
      const names = (await plantTokens(console, TOKENS)).map(
        (url) => `${/[a-z0-9]{25}/.exec(url)?.[0] ?? ''}.${ZONE}`,
      )
      const before = countedEvents(folder)
      let first = 0
      let answered = 0
      let lost = 0
      const hit = async (ms: number) => {
        const load = await loader.run({ port: console.dnsPort, names, first, ms })
        first = load.next
        answered += load.answered
        lost += load.lost + load.refused
        return load
      }
      const ms = sized(2_500, 500)
      const hitSketch = () => loader.run({ port: sketch.port, names, first: 0, ms })
      const rounds = () => alternate(ROUNDS, () => hit(ms), hitSketch)
      await hit(sized(2_000, 300))
      const beginning = await rounds()
      // The resolvers come back: what they ask for now has an incident.
      while (first < PAIRS) await hit(ms)
      const joining = await rounds()
      const stored = exactly(
        'events stored less hits answered',
        countedEvents(folder) - before - answered,
        '',
        0,
      )
      const unanswered = exactly('hits lost or refused', lost, '', 0)

      const writtenBefore = await settledBytes(console.pid)
      const missed = await loader.run({
        port: console.dnsPort,
        names: misses,
        first: 0,
        ms: sized(5_000, 1_000),
      })
      const written = exactly('bytes written for misses', writtenBytes(console.pid) - writtenBefore, '', 0)
      const forged = await floodWithDatagrams(console.wireguardPort, sized(5_000, 500))
      return {
        ok: stored.isKept && unanswered.isKept && written.isKept,
        rows: [
          ...sharesOf('durable DNS hits of known visitors', joining, 25),
          // docs/decisions/0040: SQLite alone takes what a quarter would leave.
          ...sharesOf('durable DNS hits that each begin an incident', beginning, 18),
          atLeast('DNS misses', missed.perSecond, '/s', 20_000),
          atLeast('forged WireGuard messages refused by mac1', forged.perSecond, '/s', 20_000),
          stored,
          unanswered,
          written,
        ],
        note: `${answered} hits; of known visitors ${latencies(joining)}, of new ones ${latencies(beginning)}; reference: node:dgram + grouped node:sqlite, one row a hit${scaleNote}`,
      }
    } finally {
      loader.stop()
      await sketch.stop()
      await console.stop()
      removeFolder(folder)
    }
  },
}
export default dnsHits

function sharesOf(what: string, { ours, theirs }: Rounds<DnsLoad, DnsLoad>, leastShare: number): Row[] {
  const rate = median(ours.map((load) => load.perSecond))
  const bare = median(theirs.map((load) => load.perSecond))
  return [
    atLeast(what, rate, '/s', 10_000, bare),
    atLeast(`${what}, of the bare sketch`, (100 * rate) / bare, '%', leastShare),
  ]
}

const latencies = ({ ours }: Rounds<DnsLoad, DnsLoad>): string =>
  `p50 ${median(ours.map((it) => it.p50)).toFixed(2)} ms, p99 ${median(ours.map((it) => it.p99)).toFixed(2)} ms`
