// Net-SNMP's agent: one datagram in, at most one out. The touch is raised first, whatever it asks with.
import { readableBytes } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { answerTo } from '../../protocol/agent.ts'
import { integer, oid, oidText, TAG } from '../../protocol/ber.ts'
import {
  decodeMessage,
  encodeMessage,
  encodeReport,
  PDU,
  type CommunityMessage,
  type Engine,
  type Message,
  type UserMessage,
} from '../../protocol/message.ts'
import type { Tree } from '../../protocol/tree.ts'
import { COMMUNITY, MAX_BINDING_BYTES, MAX_DATAGRAM_BYTES, MAX_NAMES } from './profile.ts'

export interface Machine {
  readonly tree: Tree
  /** It speaks v3. */
  readonly hasUsers: boolean
  readonly engine: (now: number) => Engine
}

/** `machine`: what it shows, by the Bird and the time. */
export function snmpSession(machine: (context: SessionContext) => Machine): SessionRunner {
  // Since it was started: what usmStats count.
  const counts = { unknownUsers: 0, unknownEngines: 0 }
  const frameOf = (bytes: Buffer) => ({ frame: bytes, length: bytes.length })
  return sessionRunner<undefined, Buffer>({
    limits: { frameBytes: MAX_DATAGRAM_BYTES, idleMs: 1_000 },
    decode: (bytes) => (bytes.length === 0 ? undefined : frameOf(bytes)),
    open: () => ({ state: undefined }),
    step(state, bytes, context) {
      const message = decodeMessage(bytes)
      if (!message) return { state }
      const send =
        message.version === 3
          ? report(message, machine(context), counts, context.now())
          : answer(message, machine(context), context.now())
      const step: Step<undefined> = { state, events: [eventOf(message)] }
      return send ? { ...step, send } : step
    },
  })
}

function answer(
  { version, community, pdu }: CommunityMessage,
  { tree }: Machine,
  now: number,
): Buffer | undefined {
  if (community.toString('latin1') !== COMMUNITY) return undefined
  const agent = { tree, now, isFirst: version === 0, mostBytes: MAX_BINDING_BYTES }
  const response = answerTo(pdu, agent)
  return response && encodeMessage(version, community, response)
}

const CONFIRMED: ReadonlySet<number> = new Set([PDU.get, PDU.getNext, PDU.set, PDU.getBulk, PDU.inform])
const UNKNOWN_USERS = oid('1.3.6.1.6.3.15.1.1.3.0')
const UNKNOWN_ENGINES = oid('1.3.6.1.6.3.15.1.1.4.0')

/** Nobody knows a user: a client that has found the engine out hears so, and none comes as far as its time window. */
function report(
  { messageId, engineId, user, pdu }: UserMessage,
  { engine, hasUsers }: Machine,
  counts: { unknownUsers: number; unknownEngines: number },
  now: number,
): Buffer | undefined {
  if (!hasUsers) return undefined
  const own = engine(now)
  const isKnown = engineId.equals(own.id)
  const count = isKnown ? (counts.unknownUsers += 1) : (counts.unknownEngines += 1)
  if (pdu && !CONFIRMED.has(pdu.tag)) return undefined
  const value = integer(count % 2 ** 32, TAG.counter32)
  return encodeReport(messageId, user, own, {
    tag: PDU.report,
    requestId: pdu?.requestId ?? 0,
    status: 0,
    index: 0,
    bindings: [{ oid: isKnown ? UNKNOWN_USERS : UNKNOWN_ENGINES, value }],
  })
}

function eventOf(message: Message): DecoyEvent {
  const { pdu } = message
  const names = pdu?.bindings.slice(0, MAX_NAMES).map(({ oid: asked }) => oidText(asked)) ?? []
  return {
    logtype: '13001',
    fields: {
      COMMUNITY_STRING: message.version === 3 ? '' : readableBytes(message.community),
      REQUESTS: names.join(' '),
      ...(message.version === 3 && { USER: readableBytes(message.user) }),
    },
  }
}
