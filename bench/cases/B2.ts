// Token hits over DNS, durable, through the whole pipeline; and names without a token, which must cost nothing.
import { atLeast, exactly, type Case } from '../case.ts'
import { startConsole } from '../scenes/console.ts'
import { floodWithDatagrams } from '../load/datagram-flood.ts'
import { openDnsLoader } from '../load/dns-load.ts'
import { freshFolder, removeFolder } from '../lib/folder.ts'
import { startSketch } from '../sketches/start-sketch.ts'
import { writtenBytes } from '../lib/process.ts'
import { alternate, median } from '../load/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'
import { countedEvents } from '../scenes/stored.ts'
import { plantTokens } from '../scenes/tokens.ts'

const TOKENS = 2_000
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
      await hit(sized(2_000, 300))
      const { ours, theirs } = await alternate(ROUNDS, () => hit(ms), hitSketch)
      const rate = median(ours.map((load) => load.perSecond))
      const bare = median(theirs.map((load) => load.perSecond))
      const stored = exactly(
        'events stored less hits answered',
        countedEvents(folder) - before - answered,
        '',
        0,
      )
      const unanswered = exactly('hits lost or refused', lost, '', 0)

      const writtenBefore = writtenBytes(console.pid)
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
          atLeast('durable DNS hits', rate, '/s', 10_000, bare),
          // docs/decisions/0040: SQLite alone takes what a quarter would leave.
          atLeast('share of the bare sketch', (100 * rate) / bare, '%', 18),
          atLeast('DNS misses', missed.perSecond, '/s', 20_000),
          atLeast('forged WireGuard messages refused by mac1', forged.perSecond, '/s', 20_000),
          stored,
          unanswered,
          written,
        ],
        note: `${answered} hits; p50 ${median(ours.map((it) => it.p50)).toFixed(2)} ms, p99 ${median(ours.map((it) => it.p99)).toFixed(2)} ms; reference: node:dgram + grouped node:sqlite, one row a hit${scaleNote}`,
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
