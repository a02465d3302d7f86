// The NetBIOS name service as nmbd answers it (RFC 1002, 4.2), as a session of one datagram: who has a name, and which names a
// machine has. A Samba that is alone in its workgroup is its master browser after half a minute.
import type { SessionContext, SessionDefinition } from '../../../../session/session.ts'
import { join, u8, zeros } from '../../../../windows/fields.ts'
import type { SambaMachine } from './machine.ts'
import {
  writeAnswer,
  GROUP,
  NAME_TYPE,
  readQuestion,
  statusAnswer,
  type NodeName,
} from '../../protocol/netbios/names.ts'
import { datagramSession } from '../../protocol/netbios/datagrams.ts'

const TTL_SECONDS = 259_200
/** Of answers: that a name is there, and that it is not. */
const FLAGS = { name: 0x8580, noName: 0x8583 } as const
/** nmbd leaves its hardware address at zero. */
const NO_UNIT_ID = zeros(6)

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

/** Undefined: nmbd is silent. Of several questions it reads the first, and it does not look at the class. */
function answerTo(datagram: Buffer, machine: SambaMachine, address: string): Buffer | undefined {
  const question = readQuestion(datagram)
  if (!question || question.count === 0 || question.hasMore) return undefined
  const text = question.text
    .slice(0, 15)
    .replace(/[\0 ]+$/, '')
    .toUpperCase()
  const listed = listedNames(machine)
  const found = [...listed, ...UNLISTED].find(
    ({ name, suffix }) => name === text && suffix === question.text.charCodeAt(15),
  )
  if (question.type === NAME_TYPE.status) return found && statusAnswer(question, listed, NO_UNIT_ID)
  if (question.type !== NAME_TYPE.name) return undefined
  if (found) {
    const content = join(u8(found.isGroup ? GROUP : 0), u8(0), Buffer.from(address.split('.').map(Number)))
    return writeAnswer(question, {
      flags: FLAGS.name,
      type: NAME_TYPE.name,
      ttlSeconds: TTL_SECONDS,
      content,
    })
  }
  // Who asks all wants to hear from those who have it.
  if (question.isBroadcast) return undefined
  return writeAnswer(question, {
    flags: FLAGS.noName,
    type: NAME_TYPE.null,
    ttlSeconds: 0,
    content: zeros(0),
  })
}

export const nmbd = (
  machineOf: (derive: SessionContext['derive']) => SambaMachine,
): SessionDefinition<undefined, Buffer> =>
  datagramSession((datagram, { derive, dst }) =>
    // NetBIOS knows no addresses of IPv6.
    /^\d+(\.\d+){3}$/.test(dst.host) ? answerTo(datagram, machineOf(derive), dst.host) : undefined,
  )
