// The NetBIOS name service as a session of one datagram.
import type { SessionContext, SessionDefinition } from '../../../../../session/session.ts'
import type { Machine } from '../machine.ts'
import { readStatusQuestion, statusResponse, type NodeName } from '../../../protocol/netbios/node-status.ts'

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
  return {
    limits: { frameBytes: MAX_DATAGRAM, idleMs: SECOND_MS },
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes, length: bytes.length }),
    open: () => ({ state: undefined }),
    step(state, datagram, context) {
      const machine = machineOf(context.derive)
      const names = namesOf(machine)
      const question = readStatusQuestion(datagram, names)
      if (!question) return { state }
      return { state, send: statusResponse(question, names, machine.hardwareAddress) }
    },
  }
}
