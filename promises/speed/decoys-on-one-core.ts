// Decoys next to the servers that they claim: how fast each answers on one core.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Case, type Row } from '../rig/case.ts'
import { MEASURED_CORE, onCore } from '../rig/cores.ts'
import {
  startDecoyBird,
  startRookeryBird,
  type BirdProcess,
  type DecoyBird,
} from '../rig/scenes/decoy-bird.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import type { Load } from '../rig/load/load.ts'
import { chosenParts } from '../rig/parts.ts'
import { forgetPeak, peakMb, residentMb } from '../rig/process.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { sideBySide } from '../rig/load/side-by-side.ts'
import { alternate, median } from '../rig/load/rounds.ts'
import {
  againstReal,
  contests,
  httpFlood,
  redisGets,
  redisPipeline,
  type Contest,
  type Server,
} from './lib/decoy-contests.ts'
import { fetchShare, isSambaInstalled, smbTree, startSamba } from '../rig/scenes/smb-share.ts'
import { runAttack } from '../rig/strangers/run-attack.ts'
import { LARGE_FILE, SMB_ATTACKS } from '../rig/strangers/smb.ts'
import { REAL_HOST, type RealServer } from '../../packages/decoys/test/real-server.ts'
import { isInstalled, realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'

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
  peers: () => withBird((_, bird) => hostilePeers(bird), { 'smb.filetree': [LARGE_FILE] }),
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
      note: `reference: Debian’s server with its own configuration, in rounds that alternate${skipped.map((name) => `; ${name} is not installed`).join('')}${scaleNote}`,
    }
  },
}
export default decoys

async function withBird(
  measure: (folder: string, bird: DecoyBird) => Promise<readonly Row[]>,
  over: object = {},
): Promise<readonly Row[]> {
  const folder = freshFolder()
  try {
    const bird = await startDecoyBird(join(folder, 'bird'), { 'smb.filetree': smbTree, ...over })
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
const inScene = ({ service, settings, measure }: Contest, skipped: string[]): Promise<readonly Row[]> =>
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
  }, settings)

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
