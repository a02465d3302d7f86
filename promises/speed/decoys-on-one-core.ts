// Decoys next to the servers that they claim: how fast each answers on one core.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, exactly, type Case, type Row } from '../rig/case.ts'
import { LOAD_CORE, MEASURED_CORE, onCore } from '../rig/cores.ts'
import {
  startDecoyBird,
  startRookeryBird,
  type BirdProcess,
  type DecoyBird,
} from '../rig/scenes/decoy-bird.ts'
import { openDialogues, type Dialogue, type Turn } from '../rig/load/dialogue.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { openLoader, postRequest, type Load } from '../rig/load/load.ts'
import { chosenParts } from '../rig/parts.ts'
import { cpuMs, forgetPeak, peakMb, residentMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { refusedLogins } from '../rig/load/refused-logins.ts'
import { rateRows, sideBySide, ROUND_MS } from '../rig/load/side-by-side.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import { fetchShare, isSambaInstalled, smbTree, startSamba } from '../rig/scenes/smb-share.ts'
import { busySshLogins } from '../rig/load/busy-ssh-logins.ts'
import { sshLogins } from '../rig/load/ssh-logins.ts'
import { runAttack } from '../rig/strangers/run-attack.ts'
import { LARGE_FILE, SMB_ATTACKS } from '../rig/strangers/smb.ts'
import { REAL_HOST, type RealServer } from '../../packages/decoys/test/real-server.ts'
import { isInstalled, realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { refuseAll } from '../../packages/decoys/lab/telnet/client.ts'
import { framed, login } from '../../packages/decoys/lab/mysql/client.ts'

interface Server {
  readonly host: string
  readonly port: number
  readonly pid: number
}

interface Scene {
  readonly folder: string
  readonly bird: DecoyBird
  readonly ours: Server
  readonly real: Server
}

/** A service is one entry. */
interface Contest {
  readonly service: string
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
const againstReal = (
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
const redisGets = dialogue([{ send: GET, lines: 1 }])
const redisPipeline = dialogue([{ send: GET.repeat(DEPTH), lines: DEPTH }], { hits: DEPTH })
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
const httpFlood = httpLoad(true)

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

const contests: readonly Contest[] = [
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

const START_MB = 80
/** What the start has left behind is collected by then. */
const SETTLED_MS = 15_000
const REST_MS = 60_000
const LOAD_MB = 200
const FETCHES = 5
const PEER_LATENCY = 2

/** What is measured, by the name that `BENCH_PARTS` chooses it by; each on Birds of its own. */
const parts: Readonly<Record<string, (skipped: string[]) => Promise<readonly Row[]>>> = {
  ...Object.fromEntries(
    contests.map((contest) => [contest.service, (skipped: string[]) => inScene(contest, skipped)]),
  ),
  smb: (skipped) => withBird((folder, bird) => share(folder, bird, skipped)),
  rest,
  flood: () => withBird((_, bird) => flood(bird)),
  peers: () => withBird((_, bird) => hostilePeers(bird), [LARGE_FILE]),
}

const decoys: Case = {
  id: 'B19',
  title: 'decoys on one core, each event on the disk before its answer, next to the servers that they claim',
  async run() {
    const rows: Row[] = []
    const skipped: string[] = []
    const names = chosenParts(Object.keys(parts))
    for (const name of names) rows.push(...(await parts[name]!(skipped)))
    return {
      ok: skipped.length < names.length,
      rows,
      note: `reference: Debian’s server with its own configuration, in rounds that alternate; SSH after ${WARM_UP_LOGINS.ours} logins${skipped.map((name) => `; ${name} is not installed`).join('')}${scaleNote}`,
    }
  },
}
export default decoys

async function withBird(
  measure: (folder: string, bird: DecoyBird) => Promise<readonly Row[]>,
  tree: readonly object[] = smbTree,
): Promise<readonly Row[]> {
  const folder = freshFolder()
  try {
    const bird = await startDecoyBird(join(folder, 'bird'), { 'smb.filetree': tree })
    try {
      return await measure(folder, bird)
    } finally {
      await bird.stop()
    }
  } finally {
    removeFolder(folder)
  }
}

/** Without the delays of its refusals, as our Bird: of vsftpd's own and of PAM. */
const quick = (server: RealServer): RealServer => ({
  ...server,
  prepare(folder) {
    const prepared = server.prepare(folder)
    if (server.service === 'ftp') appendFileSync(prepared.args[0]!, 'delay_failed_login=0\n')
    if (server.service === 'ssh') replaceIn(prepared.args.at(-1)!, 'UsePAM yes', 'UsePAM no')
    return prepared
  },
})

function replaceIn(file: string, text: string, by: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(text, by))
}

/** Our decoy and its real server, both fresh. */
const inScene = ({ service, measure }: Contest, skipped: string[]): Promise<readonly Row[]> =>
  withBird(async (folder, bird) => {
    const server = realServers.find((one) => one.service === service)!
    if (!isInstalled(server)) {
      skipped.push(server.debian)
      return []
    }
    const running = await onCore(MEASURED_CORE, () => startRealServer(quick(server), folder))
    try {
      return await measure({
        folder,
        bird,
        ours: { host: '127.0.0.1', port: server.port + bird.offset, pid: bird.pid },
        real: { host: REAL_HOST, port: server.port, pid: running.pid },
      })
    } finally {
      await running.stop()
    }
  })

async function share(folder: string, bird: DecoyBird, skipped: string[]): Promise<readonly Row[]> {
  if (!isSambaInstalled()) {
    skipped.push('samba')
    return []
  }
  const samba = await onCore(MEASURED_CORE, () => startSamba(folder))
  try {
    const { ours, theirs } = await alternate(
      FETCHES,
      () => fetchShare(folder, 445 + bird.offset),
      () => fetchShare(folder, samba.port),
    )
    const [our, their] = [median(ours), median(theirs)]
    return [againstReal('SMB: list and get of 100 files', our, their, 'ms', '≤ 4 × Samba', our <= 4 * their)]
  } finally {
    await samba.stop()
  }
}

/** The memory of `rookery bird` a minute after each port was visited once. */
async function rest(): Promise<readonly Row[]> {
  const folder = freshFolder()
  const birds: BirdProcess[] = []
  const start = async (name: string, env = {}): Promise<BirdProcess> => {
    const bird = await startRookeryBird(join(folder, name), env)
    birds.push(bird)
    return bird
  }
  try {
    const first = await start('first', { NODE_DISABLE_COMPILE_CACHE: '1' })
    // Keeps what it has compiled, when it ends.
    await (await startRookeryBird(join(folder, 'earlier'))).stop()
    const later = await start('later')
    await sleep(REST_MS)
    return [
      atMost(
        'memory with every service on, port scans by connections',
        residentMb(later.pid),
        'MB',
        START_MB,
      ),
      atMost('the same, at its first start', residentMb(first.pid), 'MB', START_MB),
    ]
  } finally {
    for (const bird of birds) await bird.stop()
    removeFolder(folder)
  }
}

/** What a flood of HTTP logins does to the visitors of Redis, and to the Bird's memory. */
async function flood(bird: DecoyBird): Promise<readonly Row[]> {
  await sleep(SETTLED_MS)
  const at = (port: number): Server => ({ host: '127.0.0.1', port: port + bird.offset, pid: bird.pid })
  const visited = (): Promise<Load> => redisGets(at(6379))
  await visited()
  forgetPeak(bird.pid)
  const { ours, theirs, p99 } = await sideBySide(visited, async () => {
    const [load] = await Promise.all([visited(), httpFlood(at(80))])
    return load
  })
  await redisPipeline(at(6379))
  return [
    atMost('p99 of Redis while HTTP is flooded', theirs.p99, 'ms', PEER_LATENCY * ours.p99, ours.p99),
    atMost('p99 of Redis while HTTP is flooded, of alone', p99, '×', PEER_LATENCY),
    atMost('memory under load', peakMb(bird.pid), 'MB', LOAD_MB),
  ]
}

/** The Bird's memory while peers of SMB try to fill it. */
async function hostilePeers(bird: DecoyBird): Promise<readonly Row[]> {
  const at = (port: number): number => port + bird.offset
  const decoys = { ftp: at(21), ssh: at(22), http: at(80), redis: at(6379), smb: at(445) }
  const rows: Row[] = []
  for (const name of Object.keys(SMB_ATTACKS)) {
    forgetPeak(bird.pid)
    await runAttack({
      name,
      target: { api: 0, tokens: 0, https: 0, others: [], factoryKey: '', decoys },
      seconds: sized(10, 3),
    })
    rows.push(atMost(`memory: ${name}`, peakMb(bird.pid), 'MB', LOAD_MB))
  }
  return rows
}
