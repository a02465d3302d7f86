// The NetBIOS name service of Windows: it lists its names to those who ask for one of them, or for all.
import type { SessionContext, SessionDefinition } from '../../../../../session/session.ts'
import { datagramSession } from '../../../protocol/netbios/datagrams.ts'
import { NAME_TYPE, readQuestion, statusAnswer, type NodeName } from '../../../protocol/netbios/names.ts'
import type { Machine } from '../machine.ts'

const WORKSTATION = 0x00
const FILE_SERVER = 0x20

const namesOf = ({ netbiosName, workgroup }: Machine): readonly NodeName[] => [
  { name: netbiosName, suffix: WORKSTATION },
  { name: netbiosName, suffix: FILE_SERVER },
  { name: workgroup || 'WORKGROUP', suffix: WORKSTATION, isGroup: true },
]

export const nameService = (
  machineOf: (derive: SessionContext['derive']) => Machine,
): SessionDefinition<undefined, Buffer> =>
  datagramSession((datagram, { derive }) => {
    const question = readQuestion(datagram)
    if (question?.count !== 1 || question.type !== NAME_TYPE.status || !question.isInternet) return undefined
    const machine = machineOf(derive)
    const names = namesOf(machine)
    const isOwn = ['*', ...names.map(({ name }) => name.padEnd(15))].some((each) =>
      question.text.startsWith(each),
    )
    return isOwn ? statusAnswer(question, names, machine.hardwareAddress) : undefined
  })
