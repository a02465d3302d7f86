// The security descriptor of the share's files ([MS-DTYP] 2.4.6), self-relative: administrators own them, everyone reads.
import { join, u16, u32, u8, zeros } from '../../../../../windows/fields.ts'

/** A SID from its identifier authority and sub-authorities ([MS-DTYP] 2.4.2). */
const sid = (authority: number, ...parts: readonly number[]): Buffer =>
  join(u8(1), u8(parts.length), Buffer.from([0, 0, 0, 0, 0, authority]), ...parts.map(u32))

const EVERYONE = sid(1, 0)
const SYSTEM = sid(5, 18)
const ADMINISTRATORS = sid(5, 32, 544)
const USERS = sid(5, 32, 545)

const FULL_ACCESS = 0x001f01ff
const READ_ACCESS = 0x001200a9
/** SE_DACL_PRESENT, AUTO_INHERITED and SELF_RELATIVE. */
const CONTROL = 0x8404
const INHERITED = 0x10
const TO_CHILDREN = 0x03

export const PART = { owner: 1, group: 2, dacl: 4, sacl: 8 } as const

/** Those parts that are asked for. */
export function securityDescriptor(parts: number, isDirectory: boolean): Buffer {
  const flags = INHERITED | (isDirectory ? TO_CHILDREN : 0)
  const ace = (access: number, who: Buffer): Buffer =>
    join(u8(0), u8(flags), u16(8 + who.length), u32(access), who)
  const aces = [
    ace(FULL_ACCESS, SYSTEM),
    ace(FULL_ACCESS, ADMINISTRATORS),
    ace(READ_ACCESS, USERS),
    ace(READ_ACCESS, EVERYONE),
  ]
  const list = join(...aces)
  const dacl = join(u8(2), u8(0), u16(8 + list.length), u16(aces.length), u16(0), list)
  const owner = parts & PART.owner ? ADMINISTRATORS : zeros(0)
  const group = parts & PART.group ? SYSTEM : zeros(0)
  const access = parts & PART.dacl ? dacl : zeros(0)
  const at = (content: Buffer, before: number): Buffer => u32(content.length === 0 ? 0 : 20 + before)
  return join(
    u8(1),
    u8(0),
    u16(CONTROL & (parts & PART.dacl ? 0xffff : ~0x0404)),
    at(owner, access.length),
    at(group, access.length + owner.length),
    u32(0),
    at(access, 0),
    access,
    owner,
    group,
  )
}
