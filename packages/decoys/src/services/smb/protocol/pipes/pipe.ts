// A named pipe with DCE/RPC behind it: bytes in, messages out.
import type { DecoyEvent } from '../../../../session/session.ts'
import { unpooled } from '../../../../windows/fields.ts'
import {
  bindAck,
  bindNak,
  fault,
  isFeatureNegotiation,
  MAX_FRAGMENT,
  MAX_CONTEXTS,
  NDR32,
  PDU,
  PDU_FLAG,
  readBind,
  readPdu,
  readRequest,
  REASON,
  responses,
  RESULT,
  type BindResult,
  type OfferedContext,
  type Pdu,
} from './pdu.ts'
import { FAULT, type RpcCaller, type RpcInterface } from './rpc.ts'

export interface PipeState {
  readonly interfaces: readonly RpcInterface[]
  /** Interfaces by presentation context. */
  readonly contexts: ReadonlyMap<number, RpcInterface>
  readonly handles: ReadonlySet<string>
  /** Of the client; answers are cut into such fragments. */
  readonly maxFragment: number
  /** Bytes of a PDU that is not whole. */
  readonly unread: Buffer
  /** The stub of a request whose last fragment is still to come. */
  readonly stub: Buffer
  /** Messages that the client has not read. */
  readonly messages: readonly Buffer[]
}

const EMPTY = Buffer.alloc(0)
const MAX_STUB_BYTES = 64 * 1024
/** Answers that may wait, in bytes; a client that does not read them loses the pipe. */
const MAX_WAITING_BYTES = 256 * 1024

export const newPipe = (interfaces: readonly RpcInterface[]): PipeState => ({
  interfaces,
  contexts: new Map(),
  handles: new Set(),
  maxFragment: MAX_FRAGMENT,
  unread: EMPTY,
  stub: EMPTY,
  messages: [],
})

export interface PipeStep {
  readonly pipe: PipeState
  readonly events: readonly DecoyEvent[]
}

/** Undefined when the bytes are no RPC, or too many answers wait: the pipe is broken. */
export function writePipe(
  before: PipeState,
  bytes: Buffer,
  name: string,
  call: RpcCaller,
): PipeStep | undefined {
  let pipe: PipeState = { ...before, unread: Buffer.concat([before.unread, bytes]) }
  const events: DecoyEvent[] = []
  for (let read = readPdu(pipe.unread); read; read = readPdu(pipe.unread)) {
    if (read === 'corrupt') return undefined
    const rest = { ...pipe, unread: pipe.unread.subarray(read.length) }
    const step = answerPdu(rest, read.pdu, name, call)
    if (!step || waitingBytes(step.pipe) > MAX_WAITING_BYTES) return undefined
    pipe = step.pipe
    events.push(...step.events)
  }
  return { pipe: { ...pipe, unread: unpooled(pipe.unread) }, events }
}

/** What a pipe keeps of its client: parts of requests, and answers that were not read. */
export const heldBytes = (pipe: PipeState): number =>
  pipe.unread.length + pipe.stub.length + waitingBytes(pipe)

/** What a buffer takes besides its bytes, about. */
const MESSAGE_BYTES = 128

const waitingBytes = ({ messages }: PipeState): number =>
  messages.reduce((sum, { length }) => sum + MESSAGE_BYTES + length, 0)

const say = (pipe: PipeState, messages: readonly Buffer[], events: readonly DecoyEvent[] = []): PipeStep => ({
  pipe: { ...pipe, messages: [...pipe.messages, ...messages.map(unpooled)] },
  events,
})

function answerPdu(pipe: PipeState, pdu: Pdu, name: string, call: RpcCaller): PipeStep | undefined {
  switch (pdu.type) {
    case PDU.bind:
    case PDU.alterContext:
      return bind(pipe, pdu, name)
    case PDU.request:
      return request(pipe, pdu, call)
    default:
      // Cancels, orphaned calls and further legs of authentication have no answer.
      return { pipe, events: [] }
  }
}

const NOT_RECOGNISED = 8

function bind(
  pipe: PipeState,
  { type, callId, body, isAuthenticated }: Pdu,
  name: string,
): PipeStep | undefined {
  const offered = readBind(body)
  if (!offered) return undefined
  // Guests have no secret to sign RPC with.
  if (isAuthenticated) return say(pipe, [bindNak(callId, NOT_RECOGNISED)])
  const contexts = new Map(pipe.contexts)
  const results = offered.contexts.map((context) => {
    const found = pipe.interfaces.find(
      ({ uuid, version }) => uuid === context.uuid && version === context.version,
    )
    const result =
      contexts.size < MAX_CONTEXTS || contexts.has(context.id)
        ? bindResult(context, found)
        : { result: RESULT.rejected, reason: REASON.localLimit }
    if (result.result === RESULT.accepted && found) contexts.set(context.id, found)
    return result
  })
  const group = offered.group === 0 ? 0x53f0 : offered.group
  const ackType = type === PDU.bind ? PDU.bindAck : PDU.alterContextAck
  const maxFragment = Math.min(MAX_FRAGMENT, Math.max(1_432, offered.maxReceived))
  return say({ ...pipe, contexts, maxFragment }, [bindAck(ackType, callId, { group, pipe: name, results })])
}

function bindResult({ transfers }: OfferedContext, found: RpcInterface | undefined): BindResult {
  // Security context multiplexing and keeping the connection on an orphan are not offered.
  if (transfers.some(isFeatureNegotiation)) return { result: RESULT.features, reason: 0 }
  if (!found) return { result: RESULT.rejected, reason: REASON.abstractSyntax }
  return transfers.includes(NDR32)
    ? { result: RESULT.accepted, reason: REASON.none }
    : { result: RESULT.rejected, reason: REASON.transferSyntax }
}

function request(pipe: PipeState, { flags, callId, body }: Pdu, call: RpcCaller): PipeStep | undefined {
  const read = readRequest(body)
  if (!read) return undefined
  const stub = flags & PDU_FLAG.first ? read.stub : Buffer.concat([pipe.stub, read.stub])
  if (stub.length > MAX_STUB_BYTES) return undefined
  if ((flags & PDU_FLAG.last) === 0) return { pipe: { ...pipe, stub: unpooled(stub) }, events: [] }
  const whole = { ...pipe, stub: EMPTY }
  const { contextId, opnum } = read
  const target = pipe.contexts.get(contextId)
  const operation = target?.operations[opnum]
  if (!target || !operation) {
    const status = target ? FAULT.operationRange : FAULT.unknownInterface
    return say(whole, [fault(callId, contextId, status)])
  }
  const answer = operation({ call, opnum, stub, handles: pipe.handles })
  if ('fault' in answer) return say(whole, [fault(callId, contextId, answer.fault)])
  return say(
    { ...whole, handles: answer.handles ?? pipe.handles },
    responses(callId, contextId, answer.stub, pipe.maxFragment),
    answer.events,
  )
}

/** Bytes of the next message, and whether some of it is left; undefined when none waits. */
export function readPipe(
  pipe: PipeState,
  length: number,
): { readonly pipe: PipeState; readonly bytes: Buffer; readonly isCut: boolean } | undefined {
  const [first, ...others] = pipe.messages
  if (!first) return undefined
  const bytes = first.subarray(0, length)
  const rest = first.subarray(length)
  const messages = rest.length > 0 ? [rest, ...others] : others
  return { pipe: { ...pipe, messages }, bytes, isCut: rest.length > 0 }
}
