// What a Samba said, readable, message by message. What varies between two servers carries a label, so that a mask can hide it.
import { byWord } from '@rookery/kernel/by-word.ts'
import { FLAG, readHeader, type Header } from '../../../src/services/smb/protocol/codec/header.ts'

/** Ids are named in the order in which they are met: S1, T2, F1 … */
export interface Names {
  readonly nameOf: (kind: 'S' | 'T' | 'F' | 'A' | 'H', id: string) => string
}

export function idNames(): Names {
  const known = new Map<string, string>()
  const counts: Record<string, number> = {}
  return {
    nameOf(kind, id) {
      if (/^0*$/.test(id)) return '0'
      if (/^f+$/.test(id)) return 'all'
      const key = `${kind}${id}`
      const name = known.get(key) ?? `${kind}${(counts[kind] = (counts[kind] ?? 0) + 1)}`
      known.set(key, name)
      return name
    },
  }
}

/** The frames in a stream, and the bytes behind the last whole one. */
export function framesOf(bytes: Buffer): { readonly frames: Buffer[]; readonly rest: Buffer } {
  const frames: Buffer[] = []
  let rest = bytes
  while (rest.length >= 4) {
    const end = 4 + rest.readUIntBE(1, 3)
    if (rest.length < end) break
    frames.push(rest.subarray(0, end))
    rest = rest.subarray(end)
  }
  return { frames, rest }
}

/** The messages of a frame of SMB2; none in other frames. */
export function messagesOf(frame: Buffer): Buffer[] {
  const messages: Buffer[] = []
  for (let rest = frame.subarray(4); ;) {
    const header = readHeader(rest)
    if (!header) return messages
    const end = header.nextCommand
    if (end === 0 || end > rest.length) return [...messages, rest]
    messages.push(rest.subarray(0, end))
    rest = rest.subarray(end)
  }
}

const PENDING = 0x103
/** READ and IOCTL. */
const OF_PIPES = new Set([8, 11])

/** Says that the answer of a pipe follows, which it does or not as the machine is busy or not. */
export function isSlow(frame: Buffer): boolean {
  const [message] = messagesOf(frame)
  return (
    message !== undefined && message.readUInt32LE(8) === PENDING && OF_PIPES.has(message.readUInt16LE(12))
  )
}

/** Answers of pipes that came later, as if they had come at once. */
export function atOnce(frames: readonly Buffer[], requests: Requests): Buffer[] {
  const waiting = new Map<bigint, Buffer>()
  const whole: Buffer[] = []
  for (const frame of frames) {
    const id = frame.length >= 68 ? frame.readBigUInt64LE(28) : -1n
    const interim = waiting.get(id)
    const request = requests.get(id)
    if (isSlow(frame)) waiting.set(id, frame)
    else if (interim && request && OF_PIPES.has(frame.readUInt16LE(16))) {
      const answer = Buffer.from(frame)
      interim.copy(answer, 18, 18, 20)
      answer.writeUInt32LE(answer.readUInt32LE(20) & ~FLAG.async, 20)
      request.copy(answer, 36, 32, 40)
      waiting.delete(id)
      whole.push(answer)
    } else whole.push(frame)
  }
  return [...whole, ...waiting.values()]
}

const COMMANDS =
  'negotiate setup logoff connect disconnect create close flush read write lock ioctl cancel echo find notify query set break'.split(
    ' ',
  )

export function describeFrame(frame: Buffer, names: Names, requests: Requests): string {
  const messages = messagesOf(frame)
  if (frame[0] !== 0 || messages.length === 0) return `frame ${frame.toString('hex')}`
  return messages.map((message) => describeMessage(message, names, requests)).join(' + ')
}

/** What was sent, by message id. */
export type Requests = ReadonlyMap<bigint, Buffer>

function describeMessage(message: Buffer, names: Names, requests: Requests): string {
  const header = readHeader(message)!
  return `${describeHeader(header, message, names)} ${describeBody(header, message, names, requests)}`
}

function describeHeader(header: Header, message: Buffer, { nameOf }: Names): string {
  const { command, status, credits, flags, messageId, sessionId, treeId, asyncId } = header
  const hex = (value: number | bigint): string => value.toString(16)
  const isAsync = (flags & FLAG.async) !== 0
  const signature = message.subarray(48, 64)
  return [
    COMMANDS[command] ?? `command ${command}`,
    hex(status),
    `charge ${header.creditCharge} credits ${credits} flags ${hex(flags)} next ${header.nextCommand} id ${hex(messageId)}`,
    isAsync ? nameOf('A', hex(asyncId)) : `process ${hex(header.processId)} ${nameOf('T', hex(treeId))}`,
    nameOf('S', hex(sessionId)),
    signature.every((byte) => byte === 0) ? '' : `<signature ${signature.toString('hex')}>`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Labels for parts of a message, by their place. */
interface Part {
  readonly at: number
  readonly length: number
  readonly label: string
  /** In place of the bytes. */
  readonly name?: string
}

/** STATUS_BUFFER_OVERFLOW. */
const CUT_OFF = 0x80000005

function describeBody(header: Header, message: Buffer, names: Names, requests: Requests): string {
  // An answer that is cut off has the status of a warning.
  const isWhole = header.status === 0 || header.status === CUT_OFF
  const isError = message.readUInt16LE(64) === 9 && !isWhole && header.command !== 1
  const parts = isError ? [] : (PARTS[header.command]?.(message, names, requests.get(header.messageId)) ?? [])
  let text = ''
  let at = 64
  for (const { at: start, length, label, name } of parts) {
    if (start < at || start >= message.length) continue
    const end = Math.min(start + length, message.length)
    text += message.toString('hex', at, start)
    text += `<${label} ${name ?? message.toString('hex', start, end)}>`
    at = end
  }
  return text + message.toString('hex', at)
}

const time = (at: number, label = 'time'): Part => ({ at, length: 8, label })
/** Created and accessed; written; changed. */
const times = (at: number): Part[] => [
  time(at, 'time created'),
  time(at + 8, 'time accessed'),
  time(at + 16, 'time written'),
  time(at + 24, 'time changed'),
]
const fileId = (message: Buffer, at: number, { nameOf }: Names): Part => ({
  at,
  length: 16,
  label: 'file',
  name: nameOf('F', message.toString('hex', at, at + 16)),
})

const PARTS: Readonly<
  Record<number, (message: Buffer, names: Names, request: Buffer | undefined) => Part[]>
> = {
  0: (message) => [{ at: 72, length: 16, label: 'guid' }, time(104, 'time now'), ...saltsOf(message)],
  1: (message) => {
    const ntlm = message.indexOf('NTLMSSP\0')
    if (ntlm < 0 || message[ntlm + 8] !== 2) return []
    const info = message.subarray(ntlm)
    const from = info.readUInt32LE(44)
    const parts: Part[] = [{ at: ntlm + 24, length: 8, label: 'challenge' }]
    for (let at = from; at + 4 <= info.length;) {
      const [type, length] = [info.readUInt16LE(at), info.readUInt16LE(at + 2)]
      if (type === 7) parts.push(time(ntlm + at + 4, 'time now'))
      at += 4 + length
      if (type === 0) break
    }
    return parts
  },
  5: (message, names) => [...times(72), fileId(message, 128, names), ...createContexts(message)],
  6: () => times(72),
  11: (message, names) => [fileId(message, 72, names), ...ioctlParts(message)],
  8: (message) => rpcParts(message, 80),
  14: (message, _, request) => (request && message.length >= 80 ? entryParts(message, request) : []),
  16: (message, _, request) => (request ? infoParts(message, request) : []),
  18: (message, names) => (message.length === 88 ? [fileId(message, 72, names)] : []),
}

function saltsOf(message: Buffer): Part[] {
  if (message.length < 128 || message.readUInt16LE(68) !== 0x311) return []
  const at = message.readUInt32LE(124)
  if (at < 128 || message.length < at + 46 || message.readUInt16LE(at) !== 1) return []
  return [{ at: at + 14, length: 32, label: 'salt' }]
}

/** QFid holds the id of the file and that of the volume. */
function createContexts(message: Buffer): Part[] {
  const at = message.indexOf('QFid')
  return at < 144 ? [] : [{ at: at + 8, length: 16, label: 'disk id' }]
}

/** The server's own address among its interfaces; ids of the file in others. */
function ioctlParts(message: Buffer): Part[] {
  const code = message.readUInt32LE(68)
  if (code === QUERY_INTERFACES && message.length >= 264) return [{ at: 136, length: 128, label: 'address' }]
  if (code === RESUME_KEY && message.length >= 136) return [{ at: 112, length: 16, label: 'resume key' }]
  if (code === OBJECT_ID) return [{ at: 112, length: message.length - 112, label: 'object id' }]
  return rpcParts(message, 112)
}

const QUERY_INTERFACES = 0x001401fc
const RESUME_KEY = 0x00140078
const OBJECT_ID = 0x000900c0

/** The group of a bind, and the handle in front of a short answer. */
function rpcParts(message: Buffer, at: number): Part[] {
  if (message.length < at + 24 || message.readUInt16LE(at) !== 5 || message.readUInt32LE(at + 4) !== 0x10)
    return []
  const type = message[at + 2]
  if (type === 12 || type === 15) return [{ at: at + 20, length: 4, label: 'group' }]
  const stub = at + 24
  return type === 2 && message.length === stub + 24 ? [{ at: stub, length: 20, label: 'handle' }] : []
}

/** Where the file's id lies in an entry of a listing, by class. */
const ENTRY_ID: Readonly<Record<number, number>> = { 37: 96, 38: 72, 50: 80, 60: 80, 63: 80, 78: 96 }

function entryParts(message: Buffer, request: Buffer): Part[] {
  const infoClass = request[66] ?? 0
  const parts: Part[] = []
  for (let at = 72; at + 12 <= message.length;) {
    const next = message.readUInt32LE(at)
    if (infoClass !== 12) parts.push(...times(at + 8))
    const idAt = ENTRY_ID[infoClass]
    if (idAt !== undefined) parts.push({ at: at + idAt, length: 8, label: 'disk id' })
    if (next === 0) break
    at += next
  }
  return parts
}

/** By type and class of QUERY_INFO. */
const INFO_PARTS = byWord<(at: number) => Part[]>({
  '1/4': times,
  '1/6': (at) => [{ at, length: 8, label: 'disk id' }],
  '1/18': (at) => [...times(at), { at: at + 64, length: 8, label: 'disk id' }],
  '1/34': times,
  '1/59': (at) => [{ at, length: 16, label: 'disk id' }],
  '2/1': (at) => [time(at, 'time created'), { at: at + 8, length: 4, label: 'serial' }],
  '2/3': (at) => [{ at, length: 16, label: 'space' }],
  '2/7': (at) => [{ at, length: 24, label: 'space' }],
  '2/8': (at) => [{ at, length: 16, label: 'volume id' }],
})

const infoParts = (message: Buffer, request: Buffer): Part[] =>
  message.length < 80 ? [] : (INFO_PARTS[`${request[66]}/${request[67]}`]?.(72) ?? [])
