// Security descriptors ([MS-DTYP] 2.4.6), self-relative.
import { join, u16, u32, u8, zeros } from '../../../../windows/fields.ts'

export const PART = { owner: 1, group: 2, dacl: 4, sacl: 8 } as const

/** A SID from its identifier authority and sub-authorities ([MS-DTYP] 2.4.2). */
export const sid = (authority: number, ...parts: readonly number[]): Buffer =>
  join(u8(1), u8(parts.length), Buffer.from([0, 0, 0, 0, 0, authority]), ...parts.map(u32))

export const EVERYONE = sid(1, 0)

export interface Descriptor {
  /** Those parts that are asked for. */
  readonly asked: number
  readonly control: number
  readonly owner: Buffer
  readonly group: Buffer
  /** Of each entry that allows something. */
  readonly aces: readonly { readonly flags: number; readonly access: number; readonly who: Buffer }[]
  /** Where the list stands: before the owner, or behind the group. */
  readonly isListFirst: boolean
}

export function writeDescriptor({ asked, control, aces, isListFirst, ...whose }: Descriptor): Buffer {
  const list = join(
    ...aces.map(({ flags, access, who }) => join(u8(0), u8(flags), u16(8 + who.length), u32(access), who)),
  )
  const all = join(u8(2), u8(0), u16(8 + list.length), u16(aces.length), u16(0), list)
  const dacl = asked & PART.dacl ? all : zeros(0)
  const owner = asked & PART.owner ? whose.owner : zeros(0)
  const group = asked & PART.group ? whose.group : zeros(0)
  const parts = isListFirst ? [dacl, owner, group] : [owner, group, dacl]
  const placeOf = (part: Buffer): Buffer => {
    const before = parts.slice(0, parts.indexOf(part)).reduce((sum, { length }) => sum + length, 0)
    return u32(part.length === 0 ? 0 : 20 + before)
  }
  const head = [u8(1), u8(0), u16(control), placeOf(owner), placeOf(group), u32(0), placeOf(dacl)]
  return join(...head, ...parts)
}
