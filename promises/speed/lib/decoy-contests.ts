// What decoys and the servers that they claim are asked, side by side.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { atLeast, atMost, exactly, type Row } from '../../rig/case.ts'
import { LOAD_CORE } from '../../rig/cores.ts'
import { openDialogues, type Dialogue, type Turn } from '../../rig/load/dialogue.ts'
import { openLoader, postRequest, type Load } from '../../rig/load/load.ts'
import { cpuMs } from '../../rig/process.ts'
import { sized } from '../../rig/scale.ts'
import { refusedLogins } from '../../rig/load/refused-logins.ts'
import { rateRows, sideBySide, ROUND_MS } from '../../rig/load/side-by-side.ts'
import { alternate, median } from '../../rig/load/rounds.ts'
import { busySshLogins } from '../../rig/load/busy-ssh-logins.ts'
import { sshLogins } from '../../rig/load/ssh-logins.ts'
import type { DecoyBird } from '../../rig/scenes/decoy-bird.ts'
import { refuseAll } from '../../../packages/decoys/lab/telnet/client.ts'
import { framed, login } from '../../../packages/decoys/lab/mysql/client.ts'

export interface Server {
  readonly host: string
  readonly port: number
  readonly pid: number
}

export interface Scene {
  readonly folder: string
  readonly bird: DecoyBird
  readonly ours: Server
  readonly real: Server
}

/** A service is one entry. */
export interface Contest {
  readonly service: string
  /** Settings with which it claims what the real server is. */
  readonly settings?: object
  readonly measure: (scene: Scene) => Promise<readonly Row[]>
}

type Ask = (server: Server) => Promise<Load>

const CONNECTIONS = 8

/** Our rate against that of the real server, in rounds that alternate: the middle of their ratios decides. */
async function compareRates(
  name: string,
  least: number,
  { ours, real }: Scene,
  ask: Ask,
): Promise<readonly Row[]> {
  const pair = await sideBySide(
    () => ask(ours),
    () => ask(real),
  )
  return [...rateRows(name, least, pair), exactly(`${name}: broken`, pair.ours.broken, '', 0)]
}

/** A row that the real server's value decides. */
export const againstReal = (
  what: string,
  measured: number,
  reference: number,
  unit: string,
  promise: string,
  isKept: boolean,
): Row => ({ what, measured, reference, unit, promise, isKept })

const dialogue =
  (
    turns: readonly Turn[],
    over: Partial<Pick<Dialogue, 'connections' | 'hits' | 'greeting' | 'rounds'>> = {},
  ): Ask =>
  async ({ host, port }) => {
    const load = openDialogues()
    try {
      return await load.run({
        host,
        port,
        connections: CONNECTIONS,
        greeting: 0,
        hits: 1,
        rounds: Number.POSITIVE_INFINITY,
        ms: ROUND_MS,
        turns,
        ...over,
      })
    } finally {
      load.stop()
    }
  }

const GET = '*2\r\n$3\r\nGET\r\n$4\r\nuser\r\n'
const DEPTH = 32
export const redisGets = dialogue([{ send: GET, lines: 1 }])
export const redisPipeline = dialogue([{ send: GET.repeat(DEPTH), lines: DEPTH }], { hits: DEPTH })
/** A name that neither asks PAM for. */
const ftpLogins = dialogue(
  [
    { send: 'USER -\r\n', lines: 1 },
    { send: 'PASS wrong\r\n', lines: 1 },
  ],
  { greeting: 1, rounds: 2 },
)
/** Up to the line end behind the password: telnetd refuses it three seconds later. Many at a time, since login takes 15 ms to start. */
const telnetTries = dialogue(
  [
    ...refuseAll().map(({ send, awaits = '' }) => ({ send, awaits })),
    { send: 'root\r\0', awaits: 'Password: ' },
    { send: 'wrong\r\0', awaits: '\r\n' },
  ],
  { rounds: 1, connections: 8 * CONNECTIONS },
)
const httpLoad =
  (yields: boolean): Ask =>
  async ({ host, port }) => {
    const loader = openLoader(LOAD_CORE, yields)
    try {
      return await loader.run({
        host,
        port,
        connections: 2 * CONNECTIONS,
        requests: [postRequest('/login.html', { username: 'admin', password: 'wrong' })],
        ms: ROUND_MS,
      })
    } finally {
      loader.stop()
    }
  }

const httpLogins = httpLoad(false)
/** The visitors' own load shares its core, and comes first there: what they wait for is the decoy. */
export const httpFlood = httpLoad(true)

/** As many tasks as hydra has at most, with a password that is not among the common ones: all of them are tried. */
const databaseLogins: Ask = ({ host, port }) =>
  refusedLogins({
    host,
    port,
    connections: 8 * CONNECTIONS,
    login: framed(login()),
    refusal: 'Access denied',
    ms: ROUND_MS,
  })

/** With OpenSSH's own client. */
const CLIENT_LOGINS = sized(40, 8)
/** Of our own client, as fast as the server answers. Our code is compiled after some hundreds. */
const LOGINS = { ours: sized(2_000, 300), theirs: sized(200, 50) }
const WARM_UP_LOGINS = { ours: sized(2_000, 600), theirs: 20 }

/** What a walk of Debian's view `systemonly` prints. */
const SNMP_LINES = 46

export const contests: readonly Contest[] = [
  {
    service: 'snmp',
    // Of a Windows or a controller the agent shows less.
    settings: { 'smb.enabled': false, 'dbsrv_a.enabled': false, 'modbus.enabled': false },
    async measure({ ours, real }) {
      const walks = await alternate(
        sized(9, 3),
        () => walkSnmp(ours),
        () => walkSnmp(real),
      )
      const our = (1_000 * WALKS) / median(walks.ours)
      const their = (1_000 * WALKS) / median(walks.theirs)
      return [againstReal('SNMP walks', our, their, '/s', '≥ 0.5 × snmpd', our >= their / 2)]
    },
  },
  { service: 'http', measure: (scene) => compareRates('HTTP logins', 0.8, scene, httpLogins) },
  {
    service: 'redis',
    async measure(scene) {
      const piped = await sideBySide(
        () => redisPipeline(scene.ours),
        () => redisPipeline(scene.real),
      )
      return [
        ...(await compareRates('Redis GETs', 0.4, scene, redisGets)),
        atLeast(`Redis GETs, ${DEPTH} deep`, piped.ours.perSecond, '/s', 200_000, piped.theirs.perSecond),
      ]
    },
  },
  { service: 'ftp', measure: (scene) => compareRates('FTP logins', 3, scene, ftpLogins) },
  {
    service: 'telnet',
    measure: (scene) => compareRates('Telnet tries, without the delay of the refusal', 3, scene, telnetTries),
  },
  {
    service: 'dbsrv_b',
    // docs/decisions/0040: a third of what MariaDB takes is less than Node's sockets cost.
    measure: (scene) => compareRates('MySQL logins', 0.3, scene, databaseLogins),
  },
  {
    service: 'ssh',
    async measure({ folder, ours, real }) {
      const cost = async (server: Server, count: number) => {
        const before = cpuMs(server.pid)
        const { refused, failures } = await busySshLogins({ ...server, connections: 4, count })
        return { ms: (cpuMs(server.pid) - before) / count, failed: count - refused, failures }
      }
      await cost(ours, WARM_UP_LOGINS.ours)
      await cost(real, WARM_UP_LOGINS.theirs)
      const [our, theirs] = [await cost(ours, LOGINS.ours), await cost(real, LOGINS.theirs)]
      const { refused, failures } = await sshLogins(folder, ours, CLIENT_LOGINS, 4)
      const said = [...our.failures, ...failures]
      return [
        againstReal(
          'SSH: processor a login',
          our.ms,
          theirs.ms,
          'ms',
          '≤ 0.25 × sshd',
          our.ms <= theirs.ms / 4,
        ),
        atMost('SSH: the same, whatever sshd takes', our.ms, 'ms', 3),
        exactly(
          `SSH: failed handshakes, of OpenSSH’s client too${said.map((text) => ` (${text.trim()})`).join('')}`,
          our.failed + CLIENT_LOGINS - refused,
          '',
          0,
        ),
      ]
    },
  },
]

const WALKS = 4
let walker = 0

/** The time of some walks by net-snmp, each from an address of its own: a source has a budget of longer answers. */
async function walkSnmp({ host, port }: Server): Promise<number> {
  const startedAt = performance.now()
  for (let n = 0; n < WALKS; n++) {
    const client = `127.1.${walker >> 8}.${walker++ & 255}`
    const args = ['-v2c', '-c', 'public', '-t', '5', `--clientaddr=${client}`, `${host}:${port}`]
    const { stdout } = await promisify(execFile)('snmpwalk', args)
    const lines = stdout.trimEnd().split('\n').length
    if (lines < SNMP_LINES) throw new Error(`A walk of ${host}:${port} ended after ${lines} lines.`)
  }
  return performance.now() - startedAt
}
