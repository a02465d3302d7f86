// Real scanners in a network namespace: each scan is one incident with its ports, by packets with CAP_NET_RAW alone, and by
// connections without it.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { cpuMs, residentMb } from '../rig/process.ts'
import { nodePath, root } from '../../tools/clone.mjs'
import { ATTACKER_LINK, openAttacker, type Attacker } from './lib/attacker.ts'
import { startBird, type RunningCommand } from './lib/bird.ts'
import { rookery, run } from './lib/command.ts'
import { unacknowledged, type Incident } from './lib/incidents.ts'
import { until } from './lib/until.ts'
import { isInstalled, type Proof, type Stage } from './lib/proof.ts'

const WATCHED = '10.77.9.2'
const WATCHED_V6 = 'fd77::2'
const UNPRIVILEGED = '10.77.9.3'
const MAC = '02:00:00:77:09:02'
const KEYS = ['ports', 'ID', 'LEN', 'MAC', 'PREC', 'PROTO', 'RES', 'TOS', 'TTL', 'URGP', 'WINDOW']
const OFFSET = '20000'
const NOBODY = 65_534
/** 50,000 packets a second fill the queue that net.core.rmem_max allows when the machine is busy. */
const MIN_SHARE = 0.4

const list = (ports: number): string => Array.from({ length: ports }, (_, n) => n + 1).join()

interface Scan {
  readonly tool: string
  readonly args: readonly string[]
  readonly logtype: string
  /** The ports of the event. */
  readonly seen: string
  readonly isIpv6?: true
}

const nmap = (flags: string, ports: number, logtype: string, target = WATCHED): Scan => ({
  tool: 'nmap',
  args: ['-Pn', '-n', ...flags.split(' '), '-p', `1-${ports}`, target],
  logtype,
  seen: list(ports),
})

const SCANS: readonly Scan[] = [
  nmap('-sS', 1_000, '5003'),
  nmap('-sT', 1_000, '5003'),
  nmap('-sF', 1_000, '5008'),
  nmap('-sN', 1_000, '5005'),
  nmap('-sX', 1_000, '5006'),
  // It needs an open port: SSH.
  { tool: 'nmap', args: ['-Pn', '-n', '-O', '-p', '1,20022', WATCHED], logtype: '5004', seen: '22' },
  { ...nmap('-6 -sS', 1_000, '5003', WATCHED_V6), isIpv6: true },
  nmap('-sS', 3, '5001'),
  {
    tool: 'masscan',
    args: [
      WATCHED,
      '-p1-1000',
      '--rate',
      '500',
      '--wait',
      '1',
      '--interface',
      ATTACKER_LINK,
      '--router-mac',
      MAC,
    ],
    logtype: '5003',
    seen: list(1_000),
  },
]

/** `…[+N bytes]` counts what an event has no room for. */
function bytesOf(ports: string): number {
  const [, shown = ports, more = '0'] = /^(.*)…\[\+(\d+) bytes\]$/.exec(ports) ?? []
  return shown.length + Number(more)
}

const incidentFrom = (
  console: RunningConsole,
  source: string,
  logtype: string,
  nodeId: string,
): Promise<Incident> =>
  until(
    `an incident ${logtype} from ${source}`,
    async () =>
      (await unacknowledged(console)).find(
        ({ description: it }) => it.src_host === source && it.logtype === logtype && it.node_id === nodeId,
      ),
    20_000,
    100,
  )

interface Bird extends RunningCommand {
  readonly nodeId: string
}

/** An enrolled Bird on this address that notices port scans. */
async function openBird(
  console: RunningConsole,
  folder: string,
  bind: string,
  through: readonly string[],
): Promise<Bird> {
  const code = (await rookery(['enrol'], { ROOKERY_DATA_DIR: console.dataDir })).trim()
  mkdirSync(folder)
  chownSync(folder, NOBODY, NOBODY)
  const env = { ROOKERY_DATA_DIR: folder, ROOKERY_BIRD_BIND: bind, ROOKERY_BIRD_PORT_OFFSET: OFFSET }
  const url = `http://127.0.0.1:${console.port}`
  const bird = startBird(['--console', url, '--enrol', code], env, through)
  const nodeId = await until(
    `the Bird on ${bind} runs: ${bird.said()}`,
    () => /Bird ([0-9a-f]+) is running/.exec(bird.said())?.[1],
    20_000,
  )
  const { status, text } = await console.post('/device/configure_personality', {
    node_id: nodeId,
    personality: 'default',
    additional_settings: JSON.stringify({ 'portscan.enabled': true }),
  })
  assert.equal(status, 200, text)
  return { ...bird, nodeId }
}

/** What `rookery doctor` says of the Bird's way, as soon as it says something. */
const wayOf = ({ dataDir }: RunningConsole, { nodeId }: Bird): Promise<string> =>
  until(
    `doctor names the way of Bird ${nodeId}`,
    async () => {
      const program = ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), 'doctor']
      const { stdout } = await run(nodePath(), program, {
        env: { PATH: process.env['PATH'], ROOKERY_DATA_DIR: dataDir },
      })
      return new RegExp(`^ok +sensors +Bird .*${nodeId}.*: (portscan .*)$`, 'm').exec(stdout)?.[1]
    },
    60_000,
    500,
  )

/** Each scan from an address of its own. */
async function showScans(
  console: RunningConsole,
  [bird, overV6]: readonly [Bird, Bird],
  attacker: Attacker,
  { say, skip }: Stage,
) {
  for (const [index, scan] of SCANS.entries()) {
    const { tool, args, logtype, seen, isIpv6 } = scan
    if (!isInstalled(tool)) {
      skip(`${tool} is not installed`)
      continue
    }
    const [ipv4, ipv6] = [`10.77.9.${index + 11}`, `fd77:0:0:${index + 11}::1`]
    await attacker.use(`${ipv4}/24`, `${ipv6}/16`)
    const repeat = logtype === '5001' ? 2 : 1
    for (let n = 0; n < repeat; n++) {
      const { code, stderr } = await attacker.run(tool, args, 120_000)
      assert.equal(code, 0, stderr)
    }
    const source = isIpv6 ? ipv6 : ipv4
    const { nodeId } = isIpv6 ? overV6 : bird
    // A scan that took longer than a second is reported again after a minute, with all its ports.
    const event = await until(
      `an event ${logtype} from ${source} with all ports`,
      async () => {
        const { description } = await incidentFrom(console, source, logtype, nodeId)
        return description.events.find(({ ports }) => ports === seen)
      },
      75_000,
      200,
    )
    const missing = KEYS.filter((key) => event[key] === undefined || event[key] === '')
    assert.deepEqual(missing, [], `${tool} ${args.join(' ')}: keys without a value`)
    say(
      `${tool} ${args.join(' ')}: ${logtype}, ${seen.split(',').length} ports, MAC ${String(event['MAC'])}, TTL ${String(event['TTL'])}, LEN ${String(event['LEN'])}`,
    )
  }
}

async function showAllPorts(console: RunningConsole, bird: Bird, attacker: Attacker, { say }: Stage) {
  await attacker.use('10.77.9.100/24', 'fd77::100/16')
  const before = cpuMs(bird.pid)
  const { ms } = await attacker.run(
    'nmap',
    ['-Pn', '-n', '-sS', '-T5', '--min-rate', '20000', '-p-', WATCHED],
    120_000,
  )
  const cost = cpuMs(bird.pid) - before
  const { description } = await incidentFrom(console, '10.77.9.100', '5003', bird.nodeId)
  const all = list(65_535).length
  // Its last report has every port: at most a minute later, when the scan took longer than a second.
  const seen = await until(
    'the last report of the scan of all ports',
    async () => {
      const incident = await incidentFrom(console, '10.77.9.100', '5003', bird.nodeId)
      const bytes = Math.max(...incident.description.events.map(({ ports }) => bytesOf(String(ports))))
      return bytes >= MIN_SHARE * all ? bytes : undefined
    },
    70_000,
    500,
  )
  say(
    `nmap -sS -p-: 65535 ports in ${(ms / 1_000).toFixed(1)} s; ${((100 * seen) / all).toFixed(1)} % of their list in the event; ${cost} ms of one core; Bird at ${residentMb(bird.pid).toFixed(0)} MB`,
  )
  assert.ok(Number(description.events_count) <= 3)
}

/** Without the capability a scan of connections alone is seen; then both Birds together make a 5007. */
async function showFallback(
  console: RunningConsole,
  birds: readonly [Bird, Bird],
  attacker: Attacker,
  { say }: Stage,
) {
  const source = '10.77.9.200'
  await attacker.use(`${source}/24`, 'fd77::200/16')
  const decoys = ['21', '22', '80', '6379'].map((port) => Number(port) + Number(OFFSET)).join()
  // A connection that is reset before the decoy accepts it, as by -sT, has no address any more.
  for (const [flags, target] of [
    ['-sT', WATCHED],
    ['-sV', UNPRIVILEGED],
  ] as const) {
    const { code, stderr } = await attacker.run(
      'nmap',
      ['-Pn', '-n', flags, '-p', `${decoys},1-3`, target],
      120_000,
    )
    assert.equal(code, 0, stderr)
  }
  const { description } = await incidentFrom(console, source, '5003', birds[1].nodeId)
  assert.equal(description.events[0]?.['ports'], '21,22,80,6379')
  say(`without CAP_NET_RAW, nmap -sV: 5003, decoys ${String(description.events[0]?.['ports'])}`)
  // A silent connection to one decoy is reported by itself, so that its port may come in an event of its own.
  const addresses = await until(
    'an event 5007 with port 22',
    async () => {
      const both = await incidentFrom(console, source, '5007', 'console')
      return both.description.events.find((event) => '22' in event)?.['22']
    },
    75_000,
    200,
  )
  assert.deepEqual([...(addresses as string[])].sort(), [WATCHED, UNPRIVILEGED])
  say(`both Birds: 5007, port 22 at ${String(addresses)}`)
}

const proof: Proof = {
  title: 'each scan of nmap and masscan is an incident with its ports, with CAP_NET_RAW alone and without',
  needs: ['nmap', 'ip', 'setpriv'],
  packages: ['nmap', 'masscan', 'iproute2'],
  isIsolated: true,
  limitMs: 420_000,
  async prove(stage) {
    const { folder, say, skip } = stage
    if (process.getuid?.() !== 0) return skip('needs root: it makes a second network namespace')
    const addresses = [`${WATCHED}/24`, `${UNPRIVILEGED}/24`, `${WATCHED_V6}/16`]
    const attacker = await openAttacker(addresses, MAC)
    try {
      const dataDir = join(folder, 'console')
      mkdirSync(dataDir)
      const console = await startConsole({ dataDir })
      const only = ['setpriv', '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups']
      const raw = [
        '--inh-caps',
        '-all,+net_raw',
        '--ambient-caps',
        '-all,+net_raw',
        '--bounding-set',
        '-all,+net_raw',
      ]
      // The Birds are nobody's, and must reach their folders.
      chmodSync(folder, 0o711)
      const packets = await openBird(console, join(folder, 'packets'), WATCHED, [...only, ...raw])
      const overV6 = await openBird(console, join(folder, 'packets6'), WATCHED_V6, [...only, ...raw])
      const none = ['--inh-caps', '-all', '--bounding-set', '-all']
      const connections = await openBird(console, join(folder, 'connections'), UNPRIVILEGED, [
        ...only,
        ...none,
      ])
      for (const bird of [packets, overV6, connections])
        say(`${await wayOf(console, bird)}; ${residentMb(bird.pid).toFixed(0)} MB`)
      assert.equal(await wayOf(console, packets), 'portscan reads packets')
      await showScans(console, [packets, overV6], attacker, stage)
      await showAllPorts(console, packets, attacker, stage)
      await showFallback(console, [packets, connections], attacker, stage)
      assert.deepEqual([await packets.stop(), await overV6.stop(), await connections.stop()], [0, 0, 0])
      await console.stop()
    } finally {
      await attacker.close()
    }
  },
}

export default proof
