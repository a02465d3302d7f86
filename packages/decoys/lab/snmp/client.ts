// What a manager sends: messages of each version, whole ones and some that are none.
import {
  element,
  encodeOid,
  integer,
  nothing,
  octets,
  oid,
  TAG,
} from '../../src/services/snmp/protocol/ber.ts'

export const NULL = nothing(TAG.null)

export const binding = (name: string, value: Buffer = NULL): Buffer =>
  element(TAG.sequence, encodeOid(oid(name)), value)

export const pdu = (
  tag: number,
  bindings: readonly Buffer[],
  [requestId, status, index]: readonly [number, number, number] = [1, 0, 0],
): Buffer =>
  element(tag, integer(requestId), integer(status), integer(index), element(TAG.sequence, ...bindings))

export const message = (version: number, community: string, content: Buffer): Buffer =>
  element(TAG.sequence, integer(version), octets(Buffer.from(community, 'latin1')), content)

export interface UserParts {
  readonly messageId?: number
  readonly mostBytes?: number
  readonly flags?: number
  readonly model?: number
  readonly engineId?: Buffer
  readonly boots?: number
  readonly time?: number
  readonly user?: string
  readonly context?: string
  /** In place of the scoped PDU. */
  readonly scoped?: Buffer
}

/** Discovery (RFC 3414, 4), unless it says more. */
export function userMessage(content: Buffer, parts: UserParts = {}): Buffer {
  const { messageId = 7, mostBytes = 65_507, flags = 4, model = 3, engineId = Buffer.alloc(0) } = parts
  const { boots = 0, time = 0, user = '', context = '', scoped } = parts
  const security = [octets(engineId), integer(boots), integer(time), octets(Buffer.from(user, 'latin1'))]
  return element(
    TAG.sequence,
    integer(3),
    element(
      TAG.sequence,
      integer(messageId),
      integer(mostBytes),
      octets(Buffer.from([flags])),
      integer(model),
    ),
    octets(element(TAG.sequence, ...security, octets(''), octets(''))),
    scoped ?? element(TAG.sequence, octets(engineId), octets(context), content),
  )
}
