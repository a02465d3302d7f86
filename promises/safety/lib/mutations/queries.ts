// DNS queries with bytes changed, answered as the console's server answers them, by UDP and by TCP.
import { setImmediate as turn } from 'node:timers/promises'
import { openAnswerer, QUERIES_PER_NETWORK } from '@rookery/console/channels/dns/answerer.ts'
import { zoneOf } from '@rookery/console/channels/dns/zone-option.ts'
import { newTokenId } from '@rookery/console/secrets/token-id.ts'
import { openVault } from '@rookery/console/secrets/vault.ts'
import { withMax } from '@rookery/kernel/limit.ts'
import { decode, encode, type Packet, type Question } from 'dns-packet'
import type { Logger } from 'pino'
import { changeBytes, changeText } from '../../../../packages/decoys/test/mutations/changes.ts'
import type { MutationTarget, MutationTargets } from '../../../../packages/decoys/test/mutations/target.ts'
import type { Draw } from '../../../../packages/decoys/test/draw.ts'

const ZONE = 't.example'
/** More than fit into four times a short query. */
const ADDRESSES = Array.from({ length: 8 }, (_, n) => `192.0.2.${n}`).join(',') + ',2001:db8::1'
const MAX_UDP_BYTES = 1_232
const MAX_AMPLIFICATION = 4
const [QR, AA, TC] = [0x8000, 0x0400, 0x0200]

const TYPES = ['A', 'AAAA', 'NS', 'SOA', 'TXT', 'ANY', 'MX', 'AXFR', 'DS', 'HTTPS'] as const
const OUTSIDE = ['example', 'xt.example', 't.example.com', 'example.com', '.'] as const

/** Always the same, so that a seed repeats a run. */
const vault = openVault(Buffer.alloc(32, 7), { bytes: (length) => Buffer.alloc(length, 7) })
const token = newTokenId({ bytes: (length) => Buffer.alloc(length, 11) }, vault)
const INSIDE = [
  ZONE,
  `ns1.${ZONE}`,
  `nx.${ZONE}`,
  `abc.${ZONE}`,
  `_acme-challenge.${ZONE}`,
  `${token}.${ZONE}`,
  `OJXW65CAMRRDC.G42.${token}.${ZONE}`,
  `crl.${token}.nx.${ZONE}`,
]

/** What the server logged as an error since it was asked last. */
let logged: string[] = []
let now = Date.UTC(2026, 10, 20)
const answer = openAnswerer({
  world: { clock: { now: () => now, after: () => () => undefined } },
  vault,
  log: { error: (about: unknown) => logged.push(JSON.stringify(about)) } as unknown as Logger,
  touches: { submit: () => Promise.resolve({ kind: 'dns', settings: {} }) },
  zone: zoneOf(ZONE, ADDRESSES, ''),
  perNetwork: withMax(QUERIES_PER_NETWORK, 100),
  onRequest: () => undefined,
  acmeTexts: () => Promise.resolve(['x'.repeat(43), 'y'.repeat(43)]),
})

const options = [{ code: 'CLIENT_SUBNET', ip: '198.51.100.0', sourcePrefixLength: 24, scopePrefixLength: 0 }]
/** dns-packet's types leave out the options of EDNS. */
const edns = {
  additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 4_096, flags: 0, options }],
} as unknown as Packet

const changeHeader = changeBytes([0x0100, 0x2800, 41, 8, 255, 252])
const changeName = changeText(['\0', '\x3f', '\x01t\x07example', '\xc0\x0c', '\x02nx'])

function query(draw: Draw): Buffer {
  const name = draw.chance(0.75) ? draw.pick(INSIDE) : draw.pick(OUTSIDE)
  const type = draw.pick(TYPES) as Question['type']
  const bytes = encode({
    type: 'query',
    id: draw.int(65_536),
    questions: [{ name, type }],
    ...(draw.chance(0.5) && edns),
  })
  const changed = draw.chance(0.7) ? changeHeader(draw, bytes) : changeName(draw, bytes)
  return draw.chance(0.1) ? changed.subarray(0, draw.int(changed.length + 1)) : changed
}

const dns: MutationTarget = {
  // Header and question.
  leastMeanAnswer: 12,
  async converse(draw) {
    const message = query(draw)
    const transport = draw.chance(0.8) ? 'udp' : 'tcp'
    now += draw.int(50)
    logged = []
    const answers: Buffer[] = []
    const srcHost = `198.51.${draw.int(8)}.1`
    answer(message, { transport, srcHost, dstHost: '192.0.2.1' }, (bytes) => answers.push(bytes))
    // One that waits for a commit comes in the next turn.
    if (answers.length === 0) await turn()
    const fault = logged[0] ?? faultOf(message, answers, transport)
    const answerBytes = answers.reduce((sum, { length }) => sum + length, 0)
    return {
      frames: 1,
      answerBytes,
      ...(fault !== undefined && { fault: `${fault}: ${message.toString('hex')}` }),
    }
  },
}

export const queries: MutationTargets = { DNS: dns }

/** What is wrong with the answers to these bytes; undefined where all is well. */
export function faultOf(
  message: Buffer,
  [given, ...more]: readonly Buffer[],
  transport: 'udp' | 'tcp',
): string | undefined {
  if (more.length > 0) return 'was answered twice'
  if (!given) return undefined
  if (given.length < 12) return `an answer of ${given.length} bytes`
  if (transport === 'udp' && given.length > Math.min(MAX_UDP_BYTES, MAX_AMPLIFICATION * message.length))
    return `${given.length} bytes to ${message.length}`
  if (!given.subarray(0, 2).equals(message.subarray(0, 2))) return 'has another id'
  const flags = given.readUInt16BE(2)
  if ((flags & QR) === 0) return 'was answered with a query'
  const records = given.readUInt16BE(6) + given.readUInt16BE(8)
  if (records > 0 && (flags & TC) !== 0) return 'was cut, and has records'
  if (!isOutside(message)) return undefined
  return records > 0 || (flags & AA) !== 0 ? 'is outside of the zone, and was answered' : undefined
}

/** As another reader sees it; false where that one reads no question, or a name whose spelling may mean two things. */
function isOutside(message: Buffer): boolean {
  try {
    const [question] = decode(message).questions ?? []
    const name = question?.name.toLowerCase()
    return name !== undefined && /^[a-z0-9._-]*$/.test(name) && name !== ZONE && !name.endsWith(`.${ZONE}`)
  } catch {
    return false
  }
}
