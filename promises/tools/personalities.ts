// Each built-in personality, on the real ports of an address of its own: nmap sees the servers that it claims, and no other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { portKeysOf, transportsOf } from '@rookery/decoys/settings/instances.ts'
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import {
  builtInPersonalities,
  STARTING_PERSONALITY,
  type BuiltInPersonality,
} from '@rookery/decoys/settings/personalities.ts'
import { ADMIN } from '../rig/scenes/console.ts'
import { rookery, run } from './lib/command.ts'
import { startProduct, type Product } from './lib/product.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

/** Of the Bird alone: the console listens on 127.0.0.1. */
const MACHINE = '127.0.0.2'
/** What nmap prints of the ports that services open besides their own; the names are the machine's. */
const LINES_BESIDES: Readonly<Record<string, RegExp>> = {
  '139/tcp': /^139\/tcp open netbios-ssn Microsoft Windows netbios-ssn$/,
  '137/udp': /^137\/udp open netbios-ns Microsoft Windows netbios-ns \(workgroup: \S+\)$/,
  '1434/udp':
    /^1434\/udp open ms-sql-m Microsoft SQL Server 15\.0\.2000\.5 \(ServerName: \S+; TCPPort: 1433\)$/,
}
/** Real ones answer nothing there either, which nmap calls `open|filtered`. */
const SILENT: ReadonlySet<string> = new Set(['138/udp'])
/** What nmap 7.93 prints of any Samba 4 at its other ports. */
const SAMBA_BESIDES: typeof LINES_BESIDES = {
  '139/tcp': /^139\/tcp open netbios-ssn Samba smbd 4\.6\.2$/,
  '137/udp': /^137\/udp open netbios-ns Samba nmbd netbios-ns \(workgroup: WORKGROUP\)$/,
}
const HONEYPOTS = /honeypot|honeyd|cowrie|kippo|dionaea|canary/i

/** What the packets of a system look like, and words that no answer of it has. */
const SYSTEMS = {
  windows: { ttl: 128, timestamps: 0, foreign: /linux|debian|ubuntu|samba|apache|nginx|openssh/i },
  linux: { ttl: 64, timestamps: 1, foreign: /windows|microsoft/i },
}

/** What the Bird has made of the namespace, which is the proof's own. */
function expectStack(name: string, { ttl, timestamps }: (typeof SYSTEMS)['linux']): void {
  const read = (file: string): number => Number(readFileSync(`/proc/sys/net/ipv4/${file}`, 'utf8'))
  assert.deepEqual([read('ip_default_ttl'), read('tcp_timestamps')], [ttl, timestamps], name)
}

async function configure({ console, nodeId }: Product, personality: string): Promise<void> {
  const { port, dataDir } = console
  const env = { ROOKERY_API_KEY: ADMIN, ROOKERY_DATA_DIR: dataDir }
  const call = async (...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse(
      await rookery(['api', ...args, '--json', '--console', `http://127.0.0.1:${port}`], env),
    ) as Readonly<Record<string, unknown>>
  const path = 'device/configure_personality'
  const { bundle_tag } = await call(path, '--node_id', nodeId, '--personality', personality)
  await until('the Bird has applied the settings', async () => {
    const { bundle } = await call('bundle/info', '--bundle_tag', String(bundle_tag))
    const { state, reason } = bundle as { readonly state: string; readonly reason: string }
    assert.notEqual(state, 'failed', reason)
    return state === 'applied' || undefined
  })
}

/** Ports of a transport that the personality opens, and the lines that its services promise. */
function promised(
  { services, settings: given = {}, scanLines = {} }: BuiltInPersonality,
  wanted: 'tcp' | 'udp',
) {
  const isSamba = ({ service }: ServiceDescriptor): boolean =>
    service === 'smb' && given['smb.mode'] === 'samba'
  const own: readonly ServiceDescriptor[] = descriptors.filter(({ service }) => services.includes(service))
  const portOf = (descriptor: ServiceDescriptor): number => {
    const [key = ''] = portKeysOf(descriptor)
    return Number(given[key] ?? descriptor.settings[key]?.default)
  }
  /** By the transport that is asked for. */
  const lineOf = (descriptor: ServiceDescriptor): string | undefined =>
    (scanLines[descriptor.service] ?? descriptor.scanLine)
      ?.replaceAll('{port}', String(portOf(descriptor)))
      .replace(`/${descriptor.transport} `, `/${wanted} `)
  // What answers from another port is `open|filtered` to nmap.
  const main = own.filter(
    (descriptor) =>
      transportsOf(descriptor).includes(wanted) && lineOf(descriptor)?.includes('open|filtered') !== true,
  )
  const besides = own.flatMap((descriptor) => {
    const lines = isSamba(descriptor) ? { ...LINES_BESIDES, ...SAMBA_BESIDES } : LINES_BESIDES
    return (descriptor.portsBesides ?? [])
      .map(({ transport, port }) => ({ transport, port, line: lines[`${port}/${transport}`] }))
      .filter(({ transport, port }) => transport === wanted && !SILENT.has(`${port}/${transport}`))
  })
  return {
    ports: [...main.map(portOf), ...besides.map(({ port }) => port)].sort((a, b) => a - b),
    linesBesides: besides.map(({ line }) => line),
    lines: main.flatMap((descriptor) => lineOf(descriptor) ?? []),
  }
}

async function scan(...args: readonly string[]): Promise<{ text: string; open: readonly string[] }> {
  const { stdout, stderr, code } = await run('nmap', ['-Pn', '-n', ...args, MACHINE], {
    patienceMs: 280_000,
  })
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stdout, HONEYPOTS)
  const lines = stdout.split('\n').map((line) => line.trim().replace(/\s+/g, ' '))
  return { text: stdout, open: lines.filter((line) => /^\d+\/(tcp|udp) open /.test(line)) }
}

/** Of a page that redirects, nmap reads the product in the signature, as of the real server's. */
const withoutComment = (line: string): string => line.replace(/ \(\(.*\)\)$/, '')

const portsOf = (lines: readonly string[]): number[] => lines.map((line) => Number.parseInt(line))

function expectLinesBesides(
  { linesBesides }: Pick<ReturnType<typeof promised>, 'linesBesides'>,
  open: readonly string[],
  name: string,
): void {
  for (const expected of linesBesides) {
    assert.ok(expected, `${name}: LINES_BESIDES says nothing of a port that a service opens besides its own`)
    assert.ok(
      open.some((line) => expected.test(line)),
      `${name}: no ${expected} in ${open.join('\n')}`,
    )
  }
}

async function show(personality: BuiltInPersonality, product: Product, say: Stage['say']): Promise<void> {
  const { name } = personality
  const system = SYSTEMS[name.startsWith('windows') ? 'windows' : 'linux']
  await configure(product, name)
  expectStack(name, system)
  const tcp = promised(personality, 'tcp')
  const { text, open } = await scan('-sS', '-sV', '-O', '-p-')
  assert.deepEqual(portsOf(open), tcp.ports, `${name}: ${text}`)
  for (const line of tcp.lines)
    assert.ok(open.includes(line) || open.includes(withoutComment(line)), `${name}: no "${line}" in ${text}`)
  expectLinesBesides(tcp, open, name)
  // Apart from the lines: nmap 7.93's scripts for SQL Server fail at real ones too, and cut its version (nmap issue 2571).
  const { text: scripts } = await scan('-sS', '-sV', '-sC', '-p', tcp.ports.join())
  assert.doesNotMatch(scripts, system.foreign)
  const udp = promised(personality, 'udp')
  const datagrams = udp.ports.length > 0 ? await scan('-sU', '-sV', '-p', udp.ports.join()) : undefined
  if (datagrams) assert.deepEqual(portsOf(datagrams.open), udp.ports, datagrams.text)
  expectLinesBesides(udp, datagrams?.open ?? [], name)
  const { text: reasons } = await scan('-sS', '--reason', '-p', tcp.ports.join())
  for (const [, ttl] of reasons.matchAll(/syn-ack ttl (\d+)/g)) assert.equal(Number(ttl), system.ttl)
  const guess = /^(?:OS details|Running|Aggressive OS guesses).*/m.exec(text)?.[0]
  // nmap 7.93 knows no kernel that is much newer than itself: it may name none, but no other.
  assert.doesNotMatch(guess ?? '', system.foreign, `${name}: ${text}`)
  say(`${name}: TTL ${system.ttl}; ${guess ?? 'no guess'}`)
  for (const line of [...open, ...(datagrams?.open ?? [])]) say(`  ${line}`)
}

const proof: Proof = {
  title: 'nmap sees each personality as the machine that it claims to be, and no port besides',
  packages: ['nmap'],
  needs: ['nmap'],
  isIsolated: true,
  limitMs: 1_500_000,
  async prove({ folder, say }) {
    const env = {
      ROOKERY_BIRD_PORT_OFFSET: '0',
      ROOKERY_BIRD_BIND: MACHINE,
      ROOKERY_BIRD_IP_STACK: 'claimed',
    }
    const product = await startProduct(folder, env)
    const personalities = builtInPersonalities(descriptors).filter(
      (personality) => personality !== STARTING_PERSONALITY,
    )
    assert.ok(personalities.length >= 5)
    for (const personality of personalities) await show(personality, product, say)
    await product.console.stop()
  },
}

export default proof
