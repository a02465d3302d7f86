// The security descriptor that Samba makes of the rights 644 and 755: owner, group, everyone.
import { EVERYONE, PART, sid, writeDescriptor } from '../../../protocol/info/security-descriptor.ts'

export const PARTS = PART.owner | PART.group | PART.dacl
const RIGHTS = { file: [0x0012019f, 0x00120089], directory: [0x001f01ff, 0x001200a9] } as const
/** SELF_RELATIVE, DACL_PROTECTED, DACL_PRESENT. */
const CONTROL = { relative: 0x8000, protected: 0x1000, dacl: 4 } as const

/** `id`: of the user and the group of Unix. */
export function securityDescriptor(asked: number, type: 'file' | 'directory', id: number): Buffer {
  const [own, others] = RIGHTS[type]
  const [owner, group] = [sid(22, 1, id), sid(22, 2, id)]
  return writeDescriptor({
    asked,
    control:
      CONTROL.relative | (asked & PARTS ? CONTROL.protected : 0) | (asked & PART.dacl ? CONTROL.dacl : 0),
    owner,
    group,
    aces: [
      { flags: 0, access: own, who: owner },
      { flags: 0, access: others, who: group },
      { flags: 0, access: others, who: EVERYONE },
    ],
    isListFirst: false,
  })
}
