// What tshark reads in the first message of a TLS client, and the JA4 fingerprint of that.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { run } from './command.ts'
import { until } from './until.ts'

const FIELD = 'tls.handshake.ja4'
const LISTS = [
  'tls.handshake.version',
  'tls.handshake.ciphersuite',
  'tls.handshake.extension.type',
  'tls.handshake.extensions.supported_version',
  'tls.handshake.sig_hash_alg',
  'tls.handshake.extensions_alpn_str',
] as const

export interface HelloCapture {
  /** The fingerprints of the clients so far, in their order, once there are so many. */
  fingerprints(least: number): Promise<readonly string[]>
  stop(): void
}

/** Whether this tshark has the fingerprint itself: from 4.2 on. */
export const knowsJa4 = async (): Promise<boolean> =>
  (await run('tshark', ['-G', 'fields'])).stdout.includes(`\t${FIELD}\t`)

/** Captures what comes to this port on loopback. */
export async function captureHellos(folder: string, port: number): Promise<HelloCapture> {
  const file = join(folder, 'hellos.pcap')
  const child = spawn('tshark', ['-q', '-i', 'lo', '-f', `tcp port ${port}`, '-w', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await until('tshark listens', () => (said.includes('Capturing on') ? true : undefined))
  const fields = (await knowsJa4()) ? [FIELD] : LISTS
  return {
    fingerprints: (least) =>
      until(`tshark read ${least} hellos`, async () => {
        const { stdout } = await run('tshark', [
          ...['-r', file, '-d', `tcp.port==${port},tls`, '-Y', 'tls.handshake.type == 1'],
          ...['-T', 'fields', '-E', 'separator=;', '-E', 'aggregator=,'],
          ...fields.flatMap((field) => ['-e', field]),
        ])
        const lines = stdout.split('\n').filter(Boolean)
        if (lines.length < least) return undefined
        return fields.length === 1 ? lines : lines.map(fingerprintOf)
      }),
    stop: () => void child.kill('SIGTERM'),
  }
}

/** By FoxIO's description, from the fields in the order of `LISTS`. */
function fingerprintOf(line: string): string {
  const [version = [], ciphers = [], types = [], supported = [], algorithms = [], alpn = []] = line
    .split(';')
    .map((list) => list.split(',').filter(Boolean))
  const hex = (values: readonly string[]): string[] =>
    values
      .map((value) => Number(value).toString(16).padStart(4, '0'))
      .filter((value) => !/^(.)a\1a$/.test(value))
  const highest =
    hex(supported.length > 0 ? supported : version)
      .sort()
      .at(-1) ?? ''
  const names: Readonly<Record<string, string>> = { '0304': '13', '0303': '12', '0302': '11', '0301': '10' }
  const count = (values: readonly unknown[]): string => String(values.length).padStart(2, '0')
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
  const [all, first = ''] = [hex(types), alpn[0]]
  const hashed = all.filter((type) => type !== '0000' && type !== '0010').sort()
  return [
    `t${names[highest] ?? '00'}${all.includes('0000') ? 'd' : 'i'}`,
    `${count(hex(ciphers))}${count(all)}${first === '' ? '00' : `${first.at(0)}${first.at(-1)}`}`,
    `_${hashOf(hex(ciphers).sort().join(','))}_${hashOf(`${hashed.join(',')}_${hex(algorithms).join(',')}`)}`,
  ].join('')
}
