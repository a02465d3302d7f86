// Messages of SNMP: v1 and v2c (RFC 1157, 3416), v3 with the user-based security model (RFC 3412, 3414).
import {
  element,
  encodeOid,
  integer,
  nothing,
  NoMessage,
  octets,
  oidOf,
  readerOf,
  TAG,
  type Oid,
  type Reader,
} from './ber.ts'

export const PDU = {
  get: 0xa0,
  getNext: 0xa1,
  response: 0xa2,
  set: 0xa3,
  getBulk: 0xa5,
  inform: 0xa6,
  report: 0xa8,
} as const

export interface VarBind {
  readonly oid: Oid
  /** The value as an element. */
  readonly value: Buffer
}

export interface Pdu {
  readonly tag: number
  readonly requestId: number
  /** Non-repeaters of GETBULK, and how often the others are repeated. */
  readonly status: number
  readonly index: number
  readonly bindings: readonly VarBind[]
}

export interface CommunityMessage {
  readonly version: 0 | 1
  readonly community: Buffer
  readonly pdu: Pdu
}

export interface UserMessage {
  readonly version: 3
  readonly messageId: number
  readonly engineId: Buffer
  readonly user: Buffer
  /** Undefined: encrypted, or none. */
  readonly pdu: Pdu | undefined
}

export type Message = CommunityMessage | UserMessage

/** Undefined: net-snmp answers nothing to it. */
export const decodeMessage = (bytes: Buffer): Message | undefined =>
  orNothing(() => {
    const message = readerOf(bytes).sequence()
    const version = message.integer()
    if (version === 3) return decodeUserMessage(message)
    if (version !== 0 && version !== 1) return undefined
    const community = message.octets()
    return community.length > MAX_COMMUNITY ? undefined : { version, community, pdu: decodePdu(message) }
  })

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NoMessage) return undefined
    throw error
  }
}

const MAX_COMMUNITY = 256
const MAX_USER = 32
const MIN_MESSAGE_BYTES = 484
const USER_BASED = 3
const ENCRYPTED = 2
const AUTHENTICATED = 1

function decodeUserMessage(message: Reader): UserMessage | undefined {
  const header = message.sequence()
  const [messageId, mostBytes, flags, model] = [
    header.integer(),
    header.integer(),
    header.octets(),
    header.integer(),
  ]
  const security = readerOf(message.octets()).sequence()
  const engineId = security.octets()
  const [boots, time, user] = [security.integer(), security.integer(), security.octets()]
  if (messageId < 0 || mostBytes < MIN_MESSAGE_BYTES || flags.length !== 1 || model !== USER_BASED)
    return undefined
  const isEncrypted = (flags[0]! & ENCRYPTED) !== 0
  if (isEncrypted && (flags[0]! & AUTHENTICATED) === 0) return undefined
  if (boots < 0 || time < 0 || user.length > MAX_USER) return undefined
  const pdu = isEncrypted ? undefined : decodeScoped(message)
  return { version: 3, messageId, engineId, user, pdu }
}

/** What is none is answered like what nobody can read. */
const decodeScoped = (message: Reader): Pdu | undefined =>
  orNothing(() => {
    const scoped = message.sequence()
    scoped.octets()
    scoped.octets()
    return decodePdu(scoped)
  })

function decodePdu(message: Reader): Pdu {
  const { tag, value } = message.next()
  const pdu = readerOf(value)
  const [requestId, status, index] = [pdu.integer(), pdu.integer(), pdu.integer()]
  const list = pdu.sequence()
  const bindings: VarBind[] = []
  while (!list.isAtEnd()) {
    const binding = list.sequence()
    const name = oidOf(binding.next(TAG.oid).value)
    const { tag: type, value: content } = binding.next()
    if (!binding.isAtEnd() || !isValue(type, content)) throw new NoMessage()
    bindings.push({ oid: name, value: element(type, content) })
  }
  return { tag, requestId, status, index, bindings }
}

const NUMBERS: ReadonlySet<number> = new Set([
  TAG.integer,
  TAG.counter32,
  TAG.gauge32,
  TAG.ticks,
  TAG.counter64,
])
const OTHERS: ReadonlySet<number> = new Set([
  TAG.octets,
  TAG.null,
  TAG.opaque,
  TAG.noSuchObject,
  TAG.noSuchInstance,
  TAG.endOfMibView,
])

function isValue(tag: number, content: Buffer): boolean {
  if (NUMBERS.has(tag)) return content.length >= 1 && content.length <= 9
  if (tag === TAG.address) return content.length === 4
  if (tag === TAG.oid) return oidOf(content).length > 0
  return OTHERS.has(tag)
}

export const encodePdu = ({ tag, requestId, status, index, bindings }: Pdu): Buffer =>
  element(
    tag,
    integer(requestId),
    integer(status),
    integer(index),
    element(TAG.sequence, ...bindings.map(encodeBinding)),
  )

export const encodeBinding = ({ oid, value }: VarBind): Buffer => element(TAG.sequence, encodeOid(oid), value)

export const encodeMessage = (version: 0 | 1, community: Buffer, pdu: Pdu): Buffer =>
  element(TAG.sequence, integer(version), octets(community), encodePdu(pdu))

export interface Engine {
  readonly id: Buffer
  readonly boots: number
  readonly time: number
}

const MAX_BYTES = 65_507

/** An unsecured Report (RFC 3412, 7.1). */
export const encodeReport = (
  messageId: number,
  user: Buffer,
  { id, boots, time }: Engine,
  pdu: Pdu,
): Buffer =>
  element(
    TAG.sequence,
    integer(3),
    element(
      TAG.sequence,
      integer(messageId),
      integer(MAX_BYTES),
      octets(Buffer.from([0])),
      integer(USER_BASED),
    ),
    octets(
      element(TAG.sequence, octets(id), integer(boots), integer(time), octets(user), octets(''), octets('')),
    ),
    element(TAG.sequence, octets(id), octets(''), encodePdu(pdu)),
  )

export const NULL = nothing(TAG.null)
