// A password guesser's whole list, and a count that is exactly as long.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningConsole } from '../../bench/lib/console.ts'
import { run } from '../lib/command.ts'
import type { Incident } from '../lib/incidents.ts'
import { HOST, startProduct } from '../lib/product.ts'
import { until } from '../lib/until.ts'
import type { Proof } from '../proof.ts'

const GUESSES = 200
const runs = [
  { service: 'ssh', port: 22, logtype: '4002', tasks: 4 },
  { service: 'ssh', port: 22, logtype: '4002', tasks: 16 },
  { service: 'ftp', port: 21, logtype: '2000', tasks: 16 },
] as const

const wordAt = (at: number): string => `guess-${String(at).padStart(3, '0')}`

/** All incidents of a logtype, with every event. */
async function incidentsOf(console: RunningConsole, logtype: string): Promise<readonly Incident[]> {
  const { json } = await console.get('/incidents/unacknowledged', { shrink: false })
  return (json['incidents'] as readonly Incident[]).filter((it) => it.description.logtype === logtype)
}

/** The one incident, once its count has not moved for a second. */
async function settled(console: RunningConsole, logtype: string): Promise<Incident> {
  let last = ''
  let since = performance.now()
  return until('the count comes to rest', async () => {
    const incidents = await incidentsOf(console, logtype)
    const seen = incidents.map((it) => it.description.events_count).join()
    if (seen !== last) since = performance.now()
    last = seen
    if (performance.now() - since < 1_000) return undefined
    assert.equal(incidents.length, 1, `${incidents.length} incidents ${logtype}`)
    return incidents[0]
  })
}

/** How often each guess is among the events. */
const timesTried = ({ description }: Incident): Map<string, number> =>
  description.events.reduce(
    (times, { PASSWORD }) => times.set(String(PASSWORD), (times.get(String(PASSWORD)) ?? 0) + 1),
    new Map<string, number>(),
  )

const proof: Proof = {
  title: `hydra runs through ${GUESSES} guesses, and one incident counts exactly ${GUESSES}`,
  needs: ['hydra'],
  limitMs: 600_000,
  async prove({ folder, say }) {
    const { console, port } = await startProduct(folder)
    const list = join(folder, 'guesses')
    writeFileSync(list, Array.from({ length: GUESSES }, (_, at) => `${wordAt(at)}\n`).join(''))
    const failures: string[] = []
    for (const { service, port: logical, logtype, tasks } of runs) {
      const args = ['-I', '-l', 'root', '-P', list, '-t', String(tasks), '-s', String(port(logical))]
      const { stdout, stderr, ms } = await run('hydra', [...args, `${service}://${HOST}`], {
        cwd: folder,
        patienceMs: 280_000,
      })
      const said = stdout + stderr
      const incident = await settled(console, logtype)
      const count = Number(incident.description.events_count)
      const times = timesTried(incident)
      const twice = [...times].filter(([, n]) => n > 1)
      const never = Array.from({ length: GUESSES }, (_, at) => wordAt(at)).filter((it) => !times.has(it))
      say(
        `${service}, ${tasks} at once: ${count} counted in ${(ms / 1000).toFixed(0)} s; ` +
          `${twice.length} guesses more than once, ${never.length} never`,
      )
      if (!/0 valid passwords? found/.test(said)) failures.push(`hydra did not run through:\n${said}`)
      if (count !== GUESSES)
        failures.push(
          `${service}, ${tasks} at once: ${count}; twice: ${twice.join(' ')}; never: ${never.join(' ')}`,
        )
      await console.post('/incident/acknowledge', { incident: incident.id })
    }
    assert.deepEqual(failures, [])
    await console.stop()
  },
}

export default proof
