// A named pipe with DCE/RPC behind it: bytes in, messages out. Products differ in their rules, and in what answers behind it.
import type { DecoyEvent } from '../../../../session/session.ts'
import { unpooled } from '../../../../windows/fields.ts'
import {
  bindAck,
  bindNak,
  NAK,
  PDU,
  PDU_FLAG,
  readBind,
  readPdu,
  readRequest,
  responses,
  RESULT,
  writeFault,
  type BindResult,
  type OfferedContext,
  type Pdu,
} from './pdu.ts'
import { FAULT, type Handles, type RpcCaller, type RpcInterface } from './rpc.ts'

export interface PipeRules {
  /** Which PDUs are taken for none: see `readPdu`. */
  readonly isStrict: boolean
  /** A bind comes before everything else, only once, and offers something. */
  readonly wantsOneBind: boolean
  /** Of answers: as long as the client wants within these, `first` before it said so. Once they are agreed on they stay. */
  readonly fragment: {
    readonly first: number
    readonly least: number
    readonly most: number
    readonly isAgreed: boolean
  }
  /** What cannot be read ends the pipe: with a word, or without one. */
  readonly saysWhy: boolean
  /** So does a client that wants to authenticate; else it is only refused. */
  readonly endsAuthentication: boolean
  readonly fault: {
    readonly hint: number
    /** Of operations that were called, too. */
    readonly didNotExecute: boolean
    readonly namesUnknownContext: boolean
  }
  /** What becomes of a context that is offered. `isKnown`: its interface is behind the pipe. */
  readonly judge: (
    offered: OfferedContext,
    isKnown: boolean,
    taken: ReadonlyMap<number, unknown>,
  ) => BindResult
}

export interface Pipe<Machine> {
  readonly rules: PipeRules
  /** What a bind's answer calls it. */
  readonly address: string
  readonly interfaces: readonly RpcInterface<Machine>[]
  /** Interfaces by presentation context; undefined before the bind. */
  readonly contexts: ReadonlyMap<number, RpcInterface<Machine>> | undefined
  readonly handles: Handles
  /** Of the client; answers are cut into such fragments. */
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
const MAX_STUB_BYTES = 64 * 1024
/** What a pipe may keep; a client that does not read its answers loses it. */
const MAX_HELD_BYTES = 256 * 1024

export const newPipe = <Machine>(
  rules: PipeRules,
  address: string,
  interfaces: readonly RpcInterface<Machine>[],
): Pipe<Machine> => ({
  rules,
  address,
  interfaces,
  contexts: undefined,
  handles: new Map(),
  maxFragment: rules.fragment.first,
  unread: EMPTY,
  stub: EMPTY,
  messages: [],
  isOver: false,
})

export interface PipeStep<Machine> {
  readonly pipe: Pipe<Machine>
  readonly events: readonly DecoyEvent[]
}

/** To a pipe that is not over. */
export function writePipe<Machine>(
  before: Pipe<Machine>,
  bytes: Buffer,
  call: RpcCaller<Machine>,
): PipeStep<Machine> {
  let pipe: Pipe<Machine> = { ...before, unread: Buffer.concat([before.unread, bytes]) }
  const events: DecoyEvent[] = []
  while (!pipe.isOver) {
    const read = readPdu(pipe.unread, pipe.rules.isStrict)
    if (read === undefined) break
    if (read === 'corrupt') return { pipe: { ...pipe, unread: EMPTY, isOver: true }, events }
    const step = answerPdu({ ...pipe, unread: pipe.unread.subarray(read.length) }, read.pdu, call)
    pipe = heldBytes(step.pipe) > MAX_HELD_BYTES ? { ...step.pipe, isOver: true, messages: [] } : step.pipe
    events.push(...step.events)
  }
  return { pipe: { ...pipe, unread: unpooled(pipe.unread) }, events }
}

/** What a buffer takes besides its bytes, about. */
const MESSAGE_BYTES = 128

/** What a pipe keeps of its client: parts of requests, and answers that were not read. */
export const heldBytes = ({ unread, stub, messages }: Pipe<never>): number =>
  unread.length + stub.length + messages.reduce((sum, { length }) => sum + MESSAGE_BYTES + length, 0)

const say = <Machine>(
  pipe: Pipe<Machine>,
  messages: readonly Buffer[],
  events: readonly DecoyEvent[] = [],
): PipeStep<Machine> => ({
  pipe: { ...pipe, messages: [...pipe.messages, ...messages.map(unpooled)] },
  events,
})

function end<Machine>(pipe: Pipe<Machine>, callId: number, reason: number): PipeStep<Machine> {
  const said = pipe.rules.saysWhy ? say(pipe, [bindNak(callId, reason)]).pipe : pipe
  return { pipe: { ...said, isOver: true }, events: [] }
}

function answerPdu<Machine>(pipe: Pipe<Machine>, pdu: Pdu, call: RpcCaller<Machine>): PipeStep<Machine> {
  const { type, callId } = pdu
  const isBind = type === PDU.bind
  if (pipe.rules.wantsOneBind && isBind === (pipe.contexts !== undefined))
    return end(pipe, callId, isBind ? NAK.notSpecified : NAK.protocolVersion)
  if (isBind || type === PDU.alterContext) return bind(pipe, pdu)
  // Cancels, orphaned calls and further legs of authentication have no answer.
  return type === PDU.request ? request(pipe, pdu, call) : { pipe, events: [] }
}

/** Of endpoints that are used together; any number but zero. */
const GROUP = 0x53f0

function bind<Machine>(pipe: Pipe<Machine>, { type, callId, body, isAuthenticated }: Pdu): PipeStep<Machine> {
  const { wantsOneBind, endsAuthentication, fragment, judge } = pipe.rules
  const offered = readBind(body)
  if (!offered || (wantsOneBind && offered.contexts.length === 0)) return end(pipe, callId, NAK.notSpecified)
  // Guests have no secret to sign RPC with.
  if (isAuthenticated)
    return endsAuthentication
      ? end(pipe, callId, NAK.authentication)
      : say(pipe, [bindNak(callId, NAK.authentication)])
  const contexts = new Map(pipe.contexts)
  const results = offered.contexts.map((each) => {
    const found = pipe.interfaces.find(({ uuid, version }) => uuid === each.uuid && version === each.version)
    const result = judge(each, found !== undefined, contexts)
    if (result.result === RESULT.accepted && found) contexts.set(each.id, found)
    return result
  })
  const maxFragment =
    fragment.isAgreed && type !== PDU.bind
      ? pipe.maxFragment
      : Math.min(fragment.most, Math.max(fragment.least, offered.maxReceived))
  const answer = bindAck(type === PDU.bind ? PDU.bindAck : PDU.alterContextAck, callId, {
    maxFragment: fragment.isAgreed ? maxFragment : fragment.most,
    group: offered.group === 0 ? GROUP : offered.group,
    address: pipe.address,
    results,
  })
  return say({ ...pipe, contexts, maxFragment }, [answer])
}

function request<Machine>(
  pipe: Pipe<Machine>,
  { flags, callId, body }: Pdu,
  call: RpcCaller<Machine>,
): PipeStep<Machine> {
  const read = readRequest(body)
  if (!read) return end(pipe, callId, NAK.notSpecified)
  const stub = flags & PDU_FLAG.first ? read.stub : Buffer.concat([pipe.stub, read.stub])
  if (stub.length > MAX_STUB_BYTES) return end(pipe, callId, NAK.notSpecified)
  if ((flags & PDU_FLAG.last) === 0) return { pipe: { ...pipe, stub: unpooled(stub) }, events: [] }
  const whole = { ...pipe, stub: EMPTY }
  const { contextId, opnum } = read
  const { hint, didNotExecute, namesUnknownContext } = pipe.rules.fault
  const target = pipe.contexts?.get(contextId)
  const operation = target?.operations[opnum]
  if (!target || !operation) {
    const status = target ? FAULT.operationRange : FAULT.unknownInterface
    const id = target || namesUnknownContext ? contextId : 0
    return say(whole, [writeFault(callId, id, status, { hint, didNotExecute: true })])
  }
  const answer = operation({ call, opnum, stub, handles: pipe.handles })
  if (answer === 'crash') return { pipe: { ...whole, isOver: true }, events: [] }
  if ('fault' in answer)
    return say(whole, [writeFault(callId, contextId, answer.fault, { hint, didNotExecute })])
  return say(
    { ...whole, handles: answer.handles ?? pipe.handles },
    responses(callId, contextId, answer.stub, pipe.maxFragment),
    answer.events,
  )
}

/** Bytes of the next message, and whether some of it is left; undefined when none waits. */
export function readPipe<Machine>(
  pipe: Pipe<Machine>,
  length: number,
): { readonly pipe: Pipe<Machine>; readonly bytes: Buffer; readonly isCut: boolean } | undefined {
  const [first, ...others] = pipe.messages
  if (!first) return undefined
  const bytes = first.subarray(0, length)
  const rest = first.subarray(length)
  const messages = rest.length > 0 ? [rest, ...others] : others
  return { pipe: { ...pipe, messages }, bytes, isCut: rest.length > 0 }
}
