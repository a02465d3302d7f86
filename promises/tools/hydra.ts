// hydra tries a list of passwords; one incident counts exactly as many.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningConsole } from '../rig/scenes/console.ts'
import { run } from './lib/command.ts'
import type { Incident } from './lib/incidents.ts'
import { COMMON_PASSWORDS } from '../../packages/decoys/src/session/common-passwords.data.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const GUESSES = 200
const words = Array.from({ length: GUESSES }, (_, at) => `guess-${at + 1}`)
/** Of MySQL, those alone can be read. */
const common = COMMON_PASSWORDS.slice(0, GUESSES)
/**
 * The runs of a round run at the same time. After the disconnect at the sixth failure hydra's SSH library waits for the whole
 * response time (32 s, `-w`), against the real server too: a run with few tasks shortens it.
 */
const rounds: readonly (readonly Run[])[] = [
  [
    { service: 'ssh', port: 22, logtype: '4002', options: ['-t', '16'] },
    { service: 'ftp', port: 21, logtype: '2000', options: ['-t', '16'] },
  ],
  [
    { service: 'ssh', port: 22, logtype: '4002', options: ['-t', '8', '-w', '8'] },
    { service: 'ftp', port: 21, logtype: '2000', options: ['-t', '4'] },
    // With more tasks hydra may end before its last try, against MariaDB too.
    { service: 'mysql', port: 3306, logtype: '8001', options: ['-t', '1'], passwords: common },
  ],
]
const PATIENCE_MS = 420_000

interface Run {
  readonly service: string
  /** The logical port. */
  readonly port: number
  readonly logtype: string
  readonly options: readonly string[]
  /** Without them, those that nobody uses. */
  readonly passwords?: readonly string[]
}

/** All incidents of a logtype, with every event. */
async function incidentsOf(console: RunningConsole, logtype: string): Promise<readonly Incident[]> {
  const { json } = await console.get('/incidents/unacknowledged', { shrink: false })
  return (json['incidents'] as readonly Incident[]).filter((it) => it.description.logtype === logtype)
}

/** The only incident, as soon as its count has not changed for a second. */
async function finalIncident(console: RunningConsole, logtype: string): Promise<Incident> {
  let last = ''
  let since = performance.now()
  return until('the count stays the same for a second', async () => {
    const incidents = await incidentsOf(console, logtype)
    const seen = incidents.map((it) => it.description.events_count).join()
    if (seen !== last) since = performance.now()
    last = seen
    if (performance.now() - since < 1_000) return undefined
    assert.equal(incidents.length, 1, `${incidents.length} incidents ${logtype}`)
    return incidents[0]
  })
}

/** How often each password is in the events. */
const timesTried = ({ description }: Incident): Map<string, number> =>
  description.events.reduce(
    (times, { PASSWORD }) => times.set(String(PASSWORD), (times.get(String(PASSWORD)) ?? 0) + 1),
    new Map<string, number>(),
  )

/** Runs hydra with all passwords; returns what went wrong. */
async function runHydra(
  { service, port, logtype, options, passwords = words }: Run,
  product: Product,
  folder: string,
  say: Stage['say'],
) {
  const list = join(folder, `guesses-${service}`)
  writeFileSync(list, passwords.map((word) => `${word}\n`).join(''))
  const args = ['-I', '-l', 'root', '-P', list, ...options, '-s', String(product.port(port))]
  const { stdout, stderr, ms } = await run('hydra', [...args, `${service}://${HOST}`], {
    cwd: folder,
    patienceMs: PATIENCE_MS,
  })
  const incident = await finalIncident(product.console, logtype)
  const times = timesTried(incident)
  const wrong = passwords.flatMap((word) =>
    times.get(word) === 1 ? [] : [`${word} ${times.get(word) ?? 0} times`],
  )
  const count = Number(incident.description.events_count)
  const name = `${service} ${options.join(' ')}`
  say(
    `${name}: ${count} counted, ${wrong.length} words not exactly once; hydra took ${(ms / 1000).toFixed(0)} s`,
  )
  await product.console.post('/incident/acknowledge', { incident: incident.id })
  return [
    ...(/0 valid passwords? found/.test(stdout)
      ? []
      : [`${name}: hydra did not run through: ${stdout}${stderr}`]),
    ...(count === GUESSES ? [] : [`${name}: ${count} counted. ${wrong.join(', ')}`]),
  ]
}

const proof: Proof = {
  title: `hydra runs through ${GUESSES} guesses, and one incident counts exactly ${GUESSES}`,
  needs: ['hydra'],
  limitMs: 900_000,
  async prove({ folder, say }) {
    const product = await startProduct(folder)
    const { status, text } = await product.console.post('/device/configure_personality', {
      node_id: product.nodeId,
      personality: 'default',
      additional_settings: JSON.stringify({ 'dbsrv_b.enabled': true }),
    })
    assert.equal(status, 200, text)
    await listens(product.port(3306))
    for (const round of rounds) {
      const failures = await Promise.all(round.map((it) => runHydra(it, product, folder, say)))
      assert.deepEqual(failures.flat(), [])
    }
    await product.console.stop()
  },
}

export default proof
