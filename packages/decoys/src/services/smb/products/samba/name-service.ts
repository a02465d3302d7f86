// The NetBIOS name service as nmbd answers it (RFC 1002, 4.2), as a session of one datagram: who has a name, and which names a
// machine has. A Samba that is alone in its workgroup is its master browser after half a minute.
import type { SessionContext, SessionDefinition } from '../../../../session/session.ts'
import { join, u8, zeros } from '../../../../windows/fields.ts'
import { decodeName } from '../../protocol/netbios/node-status.ts'
import type { SambaMachine } from './machine.ts'

const SECOND_MS = 1_000
const MAX_DATAGRAM = 65_536
const HEADER_BYTES = 12
/** A name of 32 letters between its length and a zero. */
const NAME_BYTES = 34
const TYPE = { null: 0x0a, name: 0x20, status: 0x21 } as const
const INTERNET = 1
const BROADCAST = 0x0010
/** A response and its operation, whatever flags stand between. */
const KIND = 0xf800
const ANSWER = { status: 0x8400, name: 0x8580, noName: 0x8583 } as const
const GROUP = 0x80
const ACTIVE = 0x04
const TTL_SECONDS = 259_200
/** Hardware address and counters, which nmbd leaves at zero. */
const STATISTICS_BYTES = 46

const be16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 0xff])
const be32 = (value: number): Buffer => join(be16(value >>> 16), be16(value & 0xffff))

interface NodeName {
  readonly name: string
  readonly suffix: number
  readonly isGroup?: true
}

/** In the order in which a status lists them. */
const listedNames = ({ netbiosName, workgroup }: SambaMachine): readonly NodeName[] => [
  ...[0x00, 0x03, 0x20].map((suffix) => ({ name: netbiosName, suffix })),
  { name: '\x01\x02__MSBROWSE__\x02', suffix: 0x01, isGroup: true },
  { name: workgroup, suffix: 0x00, isGroup: true },
  { name: workgroup, suffix: 0x1d },
  { name: workgroup, suffix: 0x1e, isGroup: true },
]
/** Each Samba answers to them, and lists none. */
const UNLISTED: readonly NodeName[] = ['*', '__SAMBA__'].flatMap((name) =>
  [0x00, 0x20].map((suffix) => ({ name, suffix })),
)

interface Question {
  readonly transactionId: number
  /** As it was asked. */
  readonly name: Buffer
  readonly type: number
  readonly isBroadcast: boolean
}

/** Undefined: nmbd is silent. Of several questions it reads the first, and it does not look at the class. */
function readQuestion(bytes: Buffer): Question | undefined {
  if (bytes.length < HEADER_BYTES + NAME_BYTES + 4) return undefined
  const flags = bytes.readUInt16BE(2)
  const name = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NAME_BYTES)
  const hasMore = bytes.readUIntBE(6, 6) !== 0
  if ((flags & KIND) !== 0 || bytes.readUInt16BE(4) === 0 || hasMore) return undefined
  if (name[0] !== 32 || name[NAME_BYTES - 1] !== 0) return undefined
  const type = bytes.readUInt16BE(HEADER_BYTES + NAME_BYTES)
  return { transactionId: bytes.readUInt16BE(0), name, type, isBroadcast: (flags & BROADCAST) !== 0 }
}

function answerTo(question: Question, machine: SambaMachine, address: string): Buffer | undefined {
  const { name, type, isBroadcast } = question
  const letters = decodeName(name.subarray(1, NAME_BYTES - 1))
  const text = letters
    .slice(0, 15)
    .replace(/[\0 ]+$/, '')
    .toUpperCase()
  const listed = listedNames(machine)
  const found = [...listed, ...UNLISTED].find(
    (each) => each.name === text && each.suffix === letters.charCodeAt(15),
  )
  switch (type) {
    case TYPE.status:
      return found && answer(question, ANSWER.status, TYPE.status, 0, statusOf(listed))
    case TYPE.name:
      if (found) return answer(question, ANSWER.name, TYPE.name, TTL_SECONDS, addressOf(found, address))
      // Who asks all wants to hear from those who have it.
      return isBroadcast ? undefined : answer(question, ANSWER.noName, TYPE.null, 0, zeros(0))
    default:
      return undefined
  }
}

const answer = (
  { transactionId, name }: Question,
  flags: number,
  type: number,
  ttl: number,
  content: Buffer,
): Buffer =>
  join(
    ...[transactionId, flags, 0, 1, 0, 0].map(be16),
    name,
    be16(type),
    be16(INTERNET),
    be32(ttl),
    be16(content.length),
    content,
  )

const statusOf = (names: readonly NodeName[]): Buffer =>
  join(
    u8(names.length),
    ...names.map(({ name, suffix, isGroup }) =>
      join(Buffer.from(name.padEnd(15), 'latin1'), u8(suffix), u8(ACTIVE | (isGroup ? GROUP : 0)), u8(0)),
    ),
    zeros(STATISTICS_BYTES),
  )

const addressOf = ({ isGroup }: NodeName, address: string): Buffer =>
  join(u8(isGroup ? GROUP : 0), u8(0), Buffer.from(address.split('.').map(Number)))

export function nmbd(
  machineOf: (derive: SessionContext['derive']) => SambaMachine,
): SessionDefinition<undefined, Buffer> {
  return {
    limits: { frameBytes: MAX_DATAGRAM, idleMs: SECOND_MS },
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes, length: bytes.length }),
    open: () => ({ state: undefined }),
    step(state, datagram, { derive, dst }) {
      const question = readQuestion(datagram)
      // NetBIOS knows no addresses of IPv6.
      const address = /^\d+(\.\d+){3}$/.test(dst.host) && dst.host
      const send = question && address && answerTo(question, machineOf(derive), address)
      return { state, ...(send && { send }) }
    },
  }
}
