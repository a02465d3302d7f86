// The security descriptor of the share's files: administrators own them, everyone reads.
import { EVERYONE, PART, sid, writeDescriptor } from '../../../protocol/info/security-descriptor.ts'

const SYSTEM = sid(5, 18)
const ADMINISTRATORS = sid(5, 32, 544)
const USERS = sid(5, 32, 545)

const FULL_ACCESS = 0x001f01ff
const READ_ACCESS = 0x001200a9
/** SE_DACL_PRESENT, AUTO_INHERITED and SELF_RELATIVE. */
const CONTROL = 0x8404
const INHERITED = 0x10
const TO_CHILDREN = 0x03

export function securityDescriptor(asked: number, isDirectory: boolean): Buffer {
  const flags = INHERITED | (isDirectory ? TO_CHILDREN : 0)
  return writeDescriptor({
    asked,
    control: CONTROL & (asked & PART.dacl ? 0xffff : ~0x0404),
    owner: ADMINISTRATORS,
    group: SYSTEM,
    aces: [
      { flags, access: FULL_ACCESS, who: SYSTEM },
      { flags, access: FULL_ACCESS, who: ADMINISTRATORS },
      { flags, access: READ_ACCESS, who: USERS },
      { flags, access: READ_ACCESS, who: EVERYONE },
    ],
    isListFirst: true,
  })
}
