// SSH_MSG_EXT_INFO (RFC 8308): names of extensions and their values.
import { message, reader, string, u32 } from './codec/fields.ts'
import { MSG } from './codec/messages.ts'

/** OpenSSH takes a message with more of them for malformed. */
const MOST = 1_024

export const extInfo = (extensions: readonly (readonly [name: string, value: string])[]): Buffer =>
  message(MSG.extInfo, u32(extensions.length), ...extensions.flat().map(string))

/** Undefined when the message is malformed. */
export function readExtInfo(payload: Buffer): ReadonlyMap<string, string> | undefined {
  const fields = reader(payload.subarray(1))
  const count = fields.u32()
  if (count >= MOST) return undefined
  const names = new Map<string, string>()
  for (let i = 0; i < count && fields.isIntact; i += 1) {
    const name = fields.cstring().toString('latin1')
    names.set(name, fields.string().toString('latin1'))
  }
  return fields.isWhole ? names : undefined
}
