// Bodies of requests of SMB2.
import { join, u16, u32, u64, u8, utf16, zeros } from '../../../src/windows/fields.ts'

export const ALL = [0x0202, 0x0210, 0x0300, 0x0302, 0x0311]

export interface Offer {
  readonly dialects?: readonly number[]
  readonly securityMode?: number
  readonly capabilities?: number
  readonly contexts?: readonly Buffer[]
  readonly guid?: Buffer
}

export const negotiateContext = (type: number, content: Buffer): Buffer =>
  join(u16(type), u16(content.length), u32(0), content)
export const listContext = (type: number, ids: readonly number[]): Buffer =>
  negotiateContext(type, join(u16(ids.length), ...ids.map(u16)))
export const hashes = (ids: readonly number[] = [1], salt = Buffer.alloc(32, 7)): Buffer =>
  negotiateContext(1, join(u16(ids.length), u16(salt.length), ...ids.map(u16), salt))
export const USUAL_CONTEXTS = [hashes(), listContext(2, [2, 1, 4, 3]), listContext(8, [2, 1, 0])]

export function negotiateBody({
  dialects = ALL,
  securityMode = 1,
  capabilities = 0x7f,
  contexts = USUAL_CONTEXTS,
  guid = Buffer.alloc(16, 0x11),
}: Offer = {}): Buffer {
  const isNewest = dialects.includes(0x0311)
  const head = join(u16(36), u16(dialects.length), u16(securityMode), u16(0), u32(capabilities), guid)
  const list = join(...dialects.map(u16))
  if (!isNewest) return join(head, zeros(8), list)
  const fixed = 64 + 36 + list.length
  const at = (fixed + 7) & ~7
  const padded = contexts.map((each, i) =>
    i === contexts.length - 1 ? each : join(each, zeros(-each.length & 7)),
  )
  return join(head, u32(at), u16(contexts.length), u16(0), list, zeros(at - fixed), ...padded)
}

export const setupBody = (token: Buffer, flags = 0, securityMode = 1, at = 88): Buffer =>
  join(
    u16(25),
    u8(flags),
    u8(securityMode),
    u32(1),
    u32(0),
    u16(at),
    u16(token.length),
    u64(0),
    token.length > 0 ? token : u8(0),
  )

export const connectBody = (path: string): Buffer => {
  const text = utf16(path)
  return join(u16(9), u16(0), u16(72), u16(text.length), text.length > 0 ? text : u8(0))
}

export interface Wishes {
  readonly access?: number
  readonly disposition?: number
  readonly options?: number
  readonly share?: number
  readonly attributes?: number
  readonly oplock?: number
  readonly impersonation?: number
  readonly contexts?: readonly (readonly [name: string, content: Buffer])[]
}

export function createBody(name: string, wishes: Wishes = {}): Buffer {
  const {
    access = 0x00120089,
    disposition = 1,
    options = 0,
    share = 7,
    attributes = 0,
    oplock = 0,
    impersonation = 2,
    contexts = [],
  } = wishes
  const text = utf16(name)
  const list = createContexts(contexts)
  const contextsAt = (120 + text.length + 7) & ~7
  return join(
    u16(57),
    u8(0),
    u8(oplock),
    u32(impersonation),
    zeros(16),
    u32(access),
    u32(attributes),
    u32(share),
    u32(disposition),
    u32(options),
    u16(120),
    u16(text.length),
    u32(list.length > 0 ? contextsAt : 0),
    u32(list.length),
    text,
    zeros(list.length > 0 ? contextsAt - 120 - text.length : text.length > 0 ? 0 : 1),
    list,
  )
}

function createContexts(contexts: NonNullable<Wishes['contexts']>): Buffer {
  const parts = contexts.map(([name, content], i) => {
    const label = Buffer.from(name, 'latin1')
    const labelEnd = 16 + ((label.length + 7) & ~7)
    const whole = join(
      u32(0),
      u16(16),
      u16(label.length),
      u16(0),
      u16(content.length > 0 ? labelEnd : 0),
      u32(content.length),
      label,
      zeros(labelEnd - 16 - label.length),
      content,
    )
    if (i === contexts.length - 1) return whole
    const padded = join(whole, zeros(-whole.length & 7))
    padded.writeUInt32LE(padded.length, 0)
    return padded
  })
  return join(...parts)
}

export const closeBody = (id: Buffer, flags = 0): Buffer => join(u16(24), u16(flags), u32(0), id)
export const readBody = (id: Buffer, offset: number | bigint, length: number, minimum = 0): Buffer =>
  join(
    u16(49),
    u8(0x50),
    u8(0),
    u32(length),
    u64(offset),
    id,
    u32(minimum),
    u32(0),
    u32(0),
    u16(0),
    u16(0),
    u8(0),
  )
export const writeBody = (id: Buffer, content: Buffer, offset: number | bigint = 0): Buffer =>
  join(
    u16(49),
    u16(112),
    u32(content.length),
    u64(offset),
    id,
    u32(0),
    u32(0),
    u16(0),
    u16(0),
    u32(0),
    content.length > 0 ? content : u8(0),
  )
export const flushBody = (id: Buffer): Buffer => join(u16(24), u16(0), u32(0), id)
export const lockBody = (
  id: Buffer,
  locks: readonly { offset: number | bigint; length: number | bigint; flags: number }[],
): Buffer =>
  join(
    u16(48),
    u16(locks.length),
    u32(0),
    id,
    ...locks.map(({ offset, length, flags }) => join(u64(offset), u64(length), u32(flags), u32(0))),
  )
export const ioctlBody = (code: number, id: Buffer, input: Buffer, max = 65_536, flags = 1): Buffer =>
  join(
    u16(57),
    u16(0),
    u32(code),
    id,
    u32(input.length > 0 ? 120 : 0),
    u32(input.length),
    u32(0),
    u32(0),
    u32(0),
    u32(max),
    u32(flags),
    u32(0),
    input.length > 0 ? input : u8(0),
  )
export const findBody = (id: Buffer, pattern: string, infoClass = 37, flags = 0, max = 65_536): Buffer => {
  const text = utf16(pattern)
  return join(
    u16(33),
    u8(infoClass),
    u8(flags),
    u32(0),
    id,
    u16(96),
    u16(text.length),
    u32(max),
    text.length > 0 ? text : u8(0),
  )
}
export const notifyBody = (id: Buffer, flags = 0, max = 4_096, filter = 0xfff): Buffer =>
  join(u16(32), u16(flags), u32(max), id, u32(filter), u32(0))
export const queryBody = (
  id: Buffer,
  type: number,
  infoClass: number,
  max = 4_096,
  additional = 0,
  input = zeros(0),
): Buffer =>
  join(
    u16(41),
    u8(type),
    u8(infoClass),
    u32(max),
    u16(input.length > 0 ? 104 : 0),
    u16(0),
    u32(input.length),
    u32(additional),
    u32(0),
    id,
    input.length > 0 ? input : u8(0),
  )
export const setBody = (
  id: Buffer,
  type: number,
  infoClass: number,
  content: Buffer,
  additional = 0,
): Buffer =>
  join(
    u16(33),
    u8(type),
    u8(infoClass),
    u32(content.length),
    u16(96),
    u16(0),
    u32(additional),
    id,
    content.length > 0 ? content : u8(0),
  )
export const breakBody = (id: Buffer, level = 0): Buffer => join(u16(24), u8(level), u8(0), u32(0), id)
export const emptyBody = (): Buffer => join(u16(4), u16(0))
