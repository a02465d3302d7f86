// A named pipe of Samba with DCE/RPC behind it: bytes in, messages out.
import type { DecoyEvent } from '../../../../../session/session.ts'
import { aligned, join, u16, u32, u8, unpooled, zeros } from '../../../../../windows/fields.ts'
import {
  NDR32,
  PDU,
  PDU_FLAG,
  readBind,
  readRequest,
  responses,
  writePdu,
  type OfferedContext,
  type Pdu,
} from '../../../protocol/pipes/pdu.ts'
import { FAULT } from '../../../protocol/pipes/rpc.ts'
import type { NamedPipe } from './interfaces.ts'
import type { RpcCaller, RpcInterface } from './rpc.ts'

export interface Pipe {
  readonly named: NamedPipe
  /** Interfaces by presentation context; undefined before the bind. */
  readonly contexts: ReadonlyMap<number, RpcInterface> | undefined
  /** What each handle stands for. */
  readonly handles: ReadonlyMap<string, string>
  readonly maxFragment: number
  /** Bytes of a PDU that is not whole. */
  readonly unread: Buffer
  /** The stub of a request whose last fragment is still to come. */
  readonly stub: Buffer
  /** Messages that the client has not read. */
  readonly messages: readonly Buffer[]
  /** The server hung up behind its last message. */
  readonly isOver: boolean
}

const EMPTY = Buffer.alloc(0)
const MAX_UNREAD_BYTES = 64 * 1024
const MAX_STUB_BYTES = 64 * 1024
const MAX_WAITING_BYTES = 256 * 1024
const MIN_FRAGMENT = 2_048
const MAX_FRAGMENT = 5_840
const HEADER_BYTES = 16

export const newPipe = (named: NamedPipe): Pipe => ({
  named,
  contexts: undefined,
  handles: new Map(),
  maxFragment: MIN_FRAGMENT,
  unread: EMPTY,
  stub: EMPTY,
  messages: [],
  isOver: false,
})

const MESSAGE_BYTES = 128

/** What a pipe keeps of its client: parts of requests, and answers that were not read. */
export const heldBytes = ({ unread, stub, messages }: Pipe): number =>
  unread.length + stub.length + messages.reduce((sum, { length }) => sum + MESSAGE_BYTES + length, 0)

export interface PipeStep {
  readonly pipe: Pipe
  readonly events: readonly DecoyEvent[]
}

export function writePipe(before: Pipe, bytes: Buffer, call: RpcCaller): PipeStep | 'disconnected' {
  if (before.isOver) return 'disconnected'
  let pipe: Pipe = { ...before, unread: unpooled(Buffer.concat([before.unread, bytes])) }
  const events: DecoyEvent[] = []
  while (!pipe.isOver && pipe.unread.length >= HEADER_BYTES) {
    const length = fragmentLength(pipe.unread)
    if (length === undefined || length > MAX_UNREAD_BYTES)
      return { pipe: { ...pipe, unread: EMPTY, isOver: true }, events }
    if (pipe.unread.length < length) break
    const rest = { ...pipe, unread: pipe.unread.subarray(length) }
    const step = answerPdu(rest, pduOf(pipe.unread.subarray(0, length)), call)
    pipe = heldBytes(step.pipe) > MAX_WAITING_BYTES ? { ...step.pipe, isOver: true, messages: [] } : step.pipe
    events.push(...step.events)
  }
  return { pipe: { ...pipe, unread: unpooled(pipe.unread) }, events }
}

/** A length that is no header's leaves the pipe waiting for more than ever comes. */
const fragmentLength = (bytes: Buffer): number | undefined => {
  const isLittle = (bytes[4]! & 0x10) !== 0
  const length = isLittle ? bytes.readUInt16LE(8) : bytes.readUInt16BE(8)
  return length < HEADER_BYTES ? undefined : length
}

const pduOf = (bytes: Buffer): Pdu => ({
  type: bytes[2]!,
  flags: bytes[3]!,
  callId: bytes.readUInt32LE(12),
  isAuthenticated: bytes.readUInt16LE(10) > 0,
  body: bytes.subarray(HEADER_BYTES),
})

const say = (pipe: Pipe, messages: readonly Buffer[], events: readonly DecoyEvent[] = []): PipeStep => ({
  pipe: { ...pipe, messages: [...pipe.messages, ...messages.map(unpooled)] },
  events,
})

const hangUp = (pipe: Pipe, callId: number, reason: number): PipeStep => {
  const nak = writePdu(
    PDU.bindNak,
    PDU_FLAG.first | PDU_FLAG.last,
    callId,
    join(u16(reason), u8(1), u8(5), u8(0), zeros(3)),
  )
  const { pipe: said } = say(pipe, [nak])
  return { pipe: { ...said, isOver: true }, events: [] }
}

const REASON = { notSpecified: 0, protocolVersion: 4, authentication: 8 } as const

function answerPdu(pipe: Pipe, pdu: Pdu, call: RpcCaller): PipeStep {
  switch (pdu.type) {
    case PDU.bind:
      return pipe.contexts ? hangUp(pipe, pdu.callId, REASON.notSpecified) : bind(pipe, pdu)
    case PDU.alterContext:
      return pipe.contexts ? bind(pipe, pdu) : hangUp(pipe, pdu.callId, REASON.protocolVersion)
    case PDU.request:
      return pipe.contexts
        ? request(pipe, pipe.contexts, pdu, call)
        : hangUp(pipe, pdu.callId, REASON.protocolVersion)
    default:
      return pipe.contexts ? { pipe, events: [] } : hangUp(pipe, pdu.callId, REASON.protocolVersion)
  }
}

const MAX_CONTEXTS = 32

function bind(pipe: Pipe, { type, callId, body, isAuthenticated }: Pdu): PipeStep {
  const offered = readBind(body)
  if (!offered || offered.contexts.length === 0) return hangUp(pipe, callId, REASON.notSpecified)
  if (isAuthenticated) return hangUp(pipe, callId, REASON.authentication)
  const contexts = new Map(pipe.contexts)
  const results = offered.contexts.map((each) => {
    const found = pipe.named.interfaces.find(
      ({ uuid, version }) => uuid === each.uuid && version === each.version,
    )
    if (!found || contexts.size >= MAX_CONTEXTS) return REJECTED.abstract
    if (!speaksNdr(each)) return REJECTED.transfer
    contexts.set(each.id, found)
    return ACCEPTED
  })
  const isBind = type === PDU.bind
  const maxFragment = isBind
    ? Math.min(MAX_FRAGMENT, Math.max(MIN_FRAGMENT, offered.maxReceived))
    : pipe.maxFragment
  const port = isBind ? `${pipe.named.address}\0` : ''
  const group = offered.group === 0 ? GROUP : offered.group
  const head = join(
    u16(maxFragment),
    u16(maxFragment),
    u32(group),
    aligned(join(u16(port.length), Buffer.from(port, 'latin1')), 4),
  )
  const answer = writePdu(
    isBind ? PDU.bindAck : PDU.alterContextAck,
    PDU_FLAG.first | PDU_FLAG.last,
    callId,
    join(head, u8(results.length), zeros(3), ...results),
  )
  return say({ ...pipe, contexts, maxFragment }, [answer])
}

const GROUP = 0x53f0
const speaksNdr = ({ transfers }: OfferedContext): boolean => transfers.includes(NDR32)
const ACCEPTED = join(u16(0), u16(0), Buffer.from(NDR32, 'hex'), u32(2))
const REJECTED = { abstract: join(u16(2), u16(1), zeros(20)), transfer: join(u16(2), u16(2), zeros(20)) }

function request(
  pipe: Pipe,
  contexts: ReadonlyMap<number, RpcInterface>,
  { flags, callId, body }: Pdu,
  call: RpcCaller,
): PipeStep {
  const read = readRequest(body)
  if (!read) return hangUp(pipe, callId, REASON.notSpecified)
  const stub = flags & PDU_FLAG.first ? read.stub : Buffer.concat([pipe.stub, read.stub])
  if (stub.length > MAX_STUB_BYTES) return hangUp(pipe, callId, REASON.notSpecified)
  if ((flags & PDU_FLAG.last) === 0) return { pipe: { ...pipe, stub: unpooled(stub) }, events: [] }
  const whole = { ...pipe, stub: EMPTY }
  const { contextId, opnum } = read
  const target = contexts.get(contextId)
  const operation = target?.operations[opnum]
  if (!target || !operation)
    return say(whole, [
      fault(
        callId,
        target ? FAULT.operationRange : FAULT.unknownInterface,
        DID_NOT_EXECUTE,
        target ? contextId : 0,
      ),
    ])
  const answer = operation({ call, opnum, stub, handles: pipe.handles })
  if (answer === 'crash') return { pipe: { ...whole, isOver: true }, events: [] }
  if ('fault' in answer) return say(whole, [fault(callId, answer.fault, 0, contextId)])
  return say(
    { ...whole, handles: answer.handles ?? pipe.handles },
    responses(callId, contextId, answer.stub, pipe.maxFragment),
    answer.events,
  )
}

const DID_NOT_EXECUTE = PDU_FLAG.didNotExecute

const fault = (callId: number, status: number, flags: number, contextId: number): Buffer =>
  writePdu(
    PDU.fault,
    PDU_FLAG.first | PDU_FLAG.last | flags,
    callId,
    join(u32(24), u16(contextId), u16(0), u32(status), u32(0)),
  )

/** Bytes of the next message, and whether some of it is left; undefined when none waits. */
export function readPipe(
  pipe: Pipe,
  length: number,
): { readonly pipe: Pipe; readonly bytes: Buffer; readonly isCut: boolean } | 'disconnected' | undefined {
  const [first, ...others] = pipe.messages
  if (!first) return pipe.isOver ? 'disconnected' : undefined
  const bytes = first.subarray(0, length)
  const rest = first.subarray(length)
  const messages = rest.length > 0 ? [rest, ...others] : others
  return { pipe: { ...pipe, messages }, bytes, isCut: rest.length > 0 }
}
