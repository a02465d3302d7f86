// The NetBIOS name service as a session of one datagram. An answer is longer than its question: few of them go out.
import { limit } from '@rookery/kernel/limit.ts'
import { answerRate } from '../../../answer-rate.ts'
import type { SessionContext, SessionDefinition } from '../../../session.ts'
import type { Machine } from '../machine.ts'
import { readStatusQuestion, statusResponse, type NodeName } from './node-status.ts'

const LIMITS = {
  /** Answers to one source in a second. */
  perSource: limit('netbios_answers_per_source', 10),
  /** Answers to all sources in a second. */
  inAll: limit('netbios_answers', 1_000),
  /** Sources whose answers are counted. */
  sources: limit('netbios_sources', 4_096),
  /** One counter for all answers. */
  listeners: limit('netbios_listeners', 1),
}
const SECOND_MS = 1_000
const MAX_DATAGRAM = 65_536

const WORKSTATION = 0x00
const FILE_SERVER = 0x20

const namesOf = ({ names, workgroup }: Machine): readonly NodeName[] => [
  { name: names.netbiosComputer, suffix: WORKSTATION, isGroup: false },
  { name: names.netbiosComputer, suffix: FILE_SERVER, isGroup: false },
  { name: workgroup || 'WORKGROUP', suffix: WORKSTATION, isGroup: true },
]

export function nameService(
  machineOf: (derive: SessionContext['derive']) => Machine,
): SessionDefinition<undefined, Buffer> {
  const mayAnswer = answerRate(LIMITS)
  return {
    limits: { frameBytes: MAX_DATAGRAM, idleMs: SECOND_MS },
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes, length: bytes.length }),
    open: () => ({ state: undefined }),
    step(state, datagram, context) {
      const machine = machineOf(context.derive)
      const names = namesOf(machine)
      const question = readStatusQuestion(datagram, names)
      if (!question || !mayAnswer(context)) return { state }
      return { state, send: statusResponse(question, names, machine.hardwareAddress) }
    },
  }
}
