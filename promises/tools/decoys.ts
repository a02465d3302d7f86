// Each decoy next to the real server of Debian 12: probes that nobody has recorded are answered alike.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EnduranceResult } from '../../packages/decoys/test/endurance.ts'
import type { FreshResult } from '../../packages/decoys/test/fresh.ts'
import { inTurns } from '../../packages/decoys/test/in-turns.ts'
import type { RealServer } from '../../packages/decoys/test/real-server.ts'
import { isInstalled, nameOf, packagesOf, realServers } from '../../packages/decoys/test/real-servers.ts'
import type { Proof, Stage } from './lib/proof.ts'

const PROBES = 300
/** Of the probes of each service, in percent. What is missing stands in the README of the service. */
const GOAL = 99
/** Most of a probe is waiting for silence. */
const SIDE_BY_SIDE = 3
/** Each start takes a core for a second. */
const BETWEEN_STARTS_MS = 2_000
const ASK_FRESH = fileURLToPath(new URL('../../packages/decoys/test/ask-fresh.ts', import.meta.url))
const MAX_RESULT_BYTES = 64 * 1024 * 1024

const proof: Proof = {
  title: `${PROBES} new probes a service, ${GOAL} of 100 at least, and every trial of patience are answered as by the real server`,
  packages: [...new Set(realServers.flatMap(packagesOf))],
  isIsolated: true,
  limitMs: 2_700_000,
  async prove({ say, skip }) {
    const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
    const servers = chosenServers()
    const below: string[] = []
    const crashed: string[] = []
    say(`seed ${seed} (ROOKERY_SEED repeats it)`)
    const installed = servers.filter(isInstalled)
    for (const server of servers)
      if (!installed.includes(server))
        skip(`${nameOf(server)}: ${packagesOf(server).join(' or ')} is not installed`)
    const judgeOne = async (server: RealServer): Promise<void> => {
      const service = nameOf(server)
      const { equal, total, differences, masks, crashes } = await judge<FreshResult>(service, [
        String(PROBES),
        seed,
      ])
      for (const { probe, real, ours } of differences)
        say(`${service} ${probe}\n    real: ${real}\n    ours: ${ours}`)
      say(`${service}: ${equal} of ${total} equal; masked: ${masks.join(', ') || 'nothing'}`)
      crashed.push(...crashes.map((crash) => `${service} ${crash}`))
      const { equal: goal = GOAL, because } = server.goal ?? {}
      if (because !== undefined) say(`${service}: ${goal} of 100 are enough: ${because}`)
      if (equal < (total * goal) / 100) below.push(`${service} ${equal}`)
    }
    await inTurns(installed, SIDE_BY_SIDE, judgeOne)
    for (const server of servers)
      if (server.enduresAs)
        say(`${nameOf(server)}: patience is that of ${server.enduresAs}, the same program`)
      else if (server.isNotTried) say(`${nameOf(server)}: patience is not tried: ${server.isNotTried}`)
    const impatient = await endure(installed, say)
    assert.deepEqual(crashed, [], 'A probe crashed our decoy')
    assert.deepEqual(below, [], 'Below the goal')
    assert.deepEqual(impatient, [], 'Crowd, drip, silence or half-close differ')
  },
}

/** All of them, or those of the services that `PROOF_SERVICES` names: `PROOF_SERVICES=ftp,dbsrv_b`. */
function chosenServers(wanted = process.env['PROOF_SERVICES'] ?? ''): readonly RealServer[] {
  const names = wanted.split(',').filter(Boolean)
  const known = [...new Set(realServers.map(({ service }) => service))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`PROOF_SERVICES names "${unknown}"; there are real servers for ${known.join(', ')}.`)
  return realServers.filter(({ service }) => names.length === 0 || names.includes(service))
}

/** All at a time: five minutes of it are waiting. Returns what differs. */
async function endure(servers: readonly RealServer[], say: Stage['say']): Promise<readonly string[]> {
  const patient = servers.filter((server) => !server.enduresAs && !server.isNotTried)
  const results = await Promise.all(
    patient.map(async (server, index) => {
      await sleep(index * BETWEEN_STARTS_MS)
      return endureOne(server, say)
    }),
  )
  return results.flat()
}

/** In a network of its own: many of them have the same port. */
async function judge<Result>(service: string, what: readonly string[]): Promise<Result> {
  const node = ['--net', process.execPath, ...process.execArgv, ASK_FRESH, '--json', service, ...what]
  const { stdout } = await promisify(execFile)('unshare', node, { maxBuffer: MAX_RESULT_BYTES })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1)) as Result
}

async function endureOne(server: RealServer, say: Stage['say']): Promise<readonly string[]> {
  const { otherwise = {} } = server
  const service = nameOf(server)
  const { total, differences } = await judge<EnduranceResult>(service, ['endurance'])
  for (const { probe, real, ours } of differences)
    say(
      `${service}, ${probe}${otherwise[probe] ? ` (known: ${otherwise[probe]})` : ''}\n    real: ${real}\n    ours: ${ours}`,
    )
  say(`${service}: ${total - differences.length} of ${total} trials of patience equal`)
  return differences.flatMap(({ probe }) => (otherwise[probe] ? [] : [`${service}, ${probe}`]))
}

export default proof
