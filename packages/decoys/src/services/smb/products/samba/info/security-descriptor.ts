// The security descriptor that Samba makes of the rights 644 and 755, self-relative: owner, group, everyone.
import { join, u16, u32, u8, zeros } from '../../../../../windows/fields.ts'

const sid = (authority: number, ...parts: readonly number[]): Buffer =>
  join(u8(1), u8(parts.length), Buffer.from([0, 0, 0, 0, 0, authority]), ...parts.map(u32))
const EVERYONE = sid(1, 0)
/** Users and groups of Unix. */
const userSid = (id: number): Buffer => sid(22, 1, id)
const groupSid = (id: number): Buffer => sid(22, 2, id)

export const PART = { owner: 1, group: 2, dacl: 4, sacl: 8 } as const
export const PARTS = PART.owner | PART.group | PART.dacl
const RIGHTS = { file: [0x0012019f, 0x00120089], directory: [0x001f01ff, 0x001200a9] } as const
/** SELF_RELATIVE, DACL_PROTECTED, DACL_PRESENT. */
const CONTROL = { relative: 0x8000, protected: 0x1000, dacl: 4 } as const

const ace = (access: number, who: Buffer): Buffer => join(u8(0), u8(0), u16(8 + who.length), u32(access), who)

/** Those parts that are asked for. */
export function securityDescriptor(wanted: number, type: 'file' | 'directory', id: number): Buffer {
  const [own, others] = RIGHTS[type]
  const aces = [ace(own, userSid(id)), ace(others, groupSid(id)), ace(others, EVERYONE)]
  const list = join(...aces)
  const owner = wanted & PART.owner ? userSid(id) : zeros(0)
  const group = wanted & PART.group ? groupSid(id) : zeros(0)
  const dacl =
    wanted & PART.dacl ? join(u8(2), u8(0), u16(8 + list.length), u16(aces.length), u16(0), list) : zeros(0)
  const control =
    CONTROL.relative | (wanted & PARTS ? CONTROL.protected : 0) | (wanted & PART.dacl ? CONTROL.dacl : 0)
  const at = (content: Buffer, before: number): Buffer => u32(content.length === 0 ? 0 : 20 + before)
  return join(
    ...[
      u8(1),
      u8(0),
      u16(control),
      at(owner, 0),
      at(group, owner.length),
      u32(0),
      at(dacl, owner.length + group.length),
    ],
    ...[owner, group, dacl],
  )
}
