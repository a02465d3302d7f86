// What two Sambas may say differently. Descriptions label it (`describe.ts`).
import type { Mask } from '../../../test/fresh.ts'

const label = (name: string, pattern: RegExp, hidden: string): Mask => ({
  name,
  hide: (text) => text.replace(pattern, hidden),
})

export const masks: readonly Mask[] = [
  label('clock', /<time now [0-9a-f]+>/g, '<time now>'),
  label(
    'when files were created, read and changed',
    /<time (created|accessed|changed) (?!0{16})[0-9a-f]+>/g,
    '<time $1>',
  ),
  label('salt', /<salt [0-9a-f]+>/g, '<salt>'),
  label('challenge', /<challenge [0-9a-f]+>/g, '<challenge>'),
  label('signature', /<signature [0-9a-f]+>/g, '<signature>'),
  label('numbers of files and devices', /<disk id [0-9a-f]+>/g, '<disk id>'),
  label('serial and id of the volume', /<(serial|volume id) [0-9a-f]+>/g, '<$1>'),
  label('size of the volume', /<space [0-9a-f]+>/g, '<space>'),
  label('group of a bind', /<group [0-9a-f]+>/g, '<group>'),
  label('how many use a share', /ffffffff0[0-9a-f]000000(?=[0-9a-f]{4}0200)/g, 'ffffffff<uses>'),
  label('own address, resume keys and object ids', /<(address|resume key|object id) [0-9a-f]+>/g, '<$1>'),
  label('when passwords were set', /(80a94b3e3bcde701)[0-9a-f]{16}\1[0-9a-f]{16}/g, '<set>'),
  label(
    'sequence number of the domain',
    /[0-9a-f]{8}(?=00000000010000000300000001000000)|(?<=000002000[8d]000000)[0-9a-f]{8}/g,
    '<sequence>',
  ),
  label('handles', /<handle [0-9a-f]+>/g, '<handle>'),
]

export const mask = (text: string): string => masks.reduce((left, { hide }) => hide(left), text)
