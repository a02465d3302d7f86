// Restarts in the middle of load: whatever was answered is counted, once.
import assert from 'node:assert/strict'
import type { RunningConsole } from '../rig/scenes/console.ts'
import type { Incident } from './lib/incidents.ts'
import { startAgain, startProduct, type Product } from './lib/product.ts'
import { redis, visit } from './lib/touch.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

const ENDINGS = ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGKILL'] as const
/** So that all events of one incident are kept, and visitors of a minute do not become one `many sources` incident. */
const MOST = { commands: 150, visits: 30 }

/** Touches by their name, and which of them got an answer. */
interface Tally {
  readonly tried: Set<string>
  readonly answered: Set<string>
}
const newTally = (): Tally => ({ tried: new Set(), answered: new Set() })

/** Touches one after the other until so many were tried or `isOver`. */
async function load(
  tally: Tally,
  most: number,
  touch: (n: number) => Promise<string>,
  isOver: () => boolean,
) {
  const end = tally.tried.size + most
  while (tally.tried.size < end && !isOver()) {
    const n = tally.tried.size
    const name = `touch-${n}`
    tally.tried.add(name)
    if (await touch(n).catch(() => undefined)) tally.answered.add(name)
  }
}

/** A visitor of its own for each visit: 198.18.0.0/15 is for tests (RFC 2544). */
const visitorOf = (n: number): string => `198.18.${n >> 8}.${n & 255}`

async function plantToken({ console }: Product): Promise<string> {
  const flock = { flock_id: 'flock:default' }
  const { json } = await console.post('/decoytoken/create_factory', { ...flock, memo: 'proof' })
  const made = await console.post('/decoytoken/factory/create', {
    factory_auth: String(json['factory_auth']),
    memo: 'proof',
    kind: 'http',
  })
  const { url } = made.json['decoytoken'] as { url?: string }
  assert.ok(url, made.text)
  return url
}

/** How often each touch was counted, by the names that `nameOf` finds. */
function counted(
  incidents: readonly Incident[],
  nameOf: (it: Incident) => readonly string[],
): Map<string, number> {
  const times = new Map<string, number>()
  for (const name of incidents.flatMap(nameOf)) times.set(name, (times.get(name) ?? 0) + 1)
  return times
}

async function incidentsOf(console: RunningConsole): Promise<readonly Incident[]> {
  const { json } = await console.get('/incidents/unacknowledged', { shrink: false })
  return json['incidents'] as readonly Incident[]
}

const proof: Proof = {
  title: 'nothing answered is lost or counted twice over SIGTERM and SIGKILL during load',
  limitMs: 180_000,
  async prove({ folder, say }) {
    let product = await startProduct(folder)
    const url = await plantToken(product)
    const commands = newTally()
    const visits = newTally()
    for (const ending of ENDINGS) {
      const { console, port } = product
      let isOver = false
      const loads = [
        load(
          commands,
          MOST.commands,
          (n) => redis(port(6379), `GET touch-${n}`),
          () => isOver,
        ),
        load(
          visits,
          MOST.visits,
          async (n) => {
            const status = await visit(url, { 'X-Forwarded-For': visitorOf(n) })
            return status === 200 ? 'seen' : ''
          },
          () => isOver,
        ),
      ]
      const begun = commands.answered.size
      const enough = 20 + Math.floor(Math.random() * 60)
      await until(
        'some touches are answered',
        () => commands.answered.size - begun > enough || undefined,
        10_000,
        1,
      )
      await (ending === 'SIGTERM' ? console.stop() : console.kill())
      isOver = true
      await Promise.all(loads)
      product = await startAgain(product.options)
    }

    const { console } = product
    const found = await until('all that was answered is counted', async () => {
      const incidents = await incidentsOf(console)
      const ofCommands = counted(
        incidents.filter(({ description }) => description.logtype === '21001'),
        ({ description }) => description.events.map(({ ARGS }) => String(ARGS)),
      )
      const ofVisits = counted(
        incidents.filter(({ description }) => description.logtype === '17000'),
        ({ description }) => Array<string>(Number(description.events_count)).fill(description.src_host),
      )
      const isWhole =
        [...commands.answered].every((name) => ofCommands.has(name)) &&
        [...visits.answered].every((name) => ofVisits.has(visitorOf(Number(name.slice(6)))))
      return isWhole ? { incidents, ofCommands, ofVisits } : undefined
    })
    const { incidents, ofCommands, ofVisits } = found
    for (const [name, times] of [...ofCommands, ...ofVisits])
      assert.equal(times, 1, `${name} counted ${times} times`)
    const counts = incidents
      .filter(({ description }) => description.logtype === '21001')
      .map(({ description }) => Number(description.events_count))
    assert.deepEqual(counts, [ofCommands.size], 'The count is not the number of events.')
    for (const name of ofCommands.keys()) assert.ok(commands.tried.has(name), `${name} was never sent`)
    say(
      `${ENDINGS.length} ends (${ENDINGS.filter((it) => it === 'SIGKILL').length} by SIGKILL), the Bird's included`,
    )
    say(
      `decoy commands: ${commands.answered.size} answered, ${ofCommands.size} counted of ${commands.tried.size} tried`,
    )
    say(
      `token visits: ${visits.answered.size} answered, ${ofVisits.size} counted of ${visits.tried.size} tried`,
    )
    await console.stop()
  },
}

export default proof
