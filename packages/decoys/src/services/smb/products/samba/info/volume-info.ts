// What a client asks about the volume ([MS-FSCC] 2.5): Samba says NTFS, whatever it is.
import { join, u32, u64, u8, utf16, zeros } from '../../../../../windows/fields.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { VERSION, type SambaMachine } from '../machine.ts'
import type { Info } from '../../../protocol/info/file-classes.ts'

const BLOCK_SECTORS = 2
const SECTOR_BYTES = 512
const FILE_DEVICE_DISK = 7
/** Mounted, and read only. */
const CHARACTERISTICS = 0x22
/** Case is kept, names are Unicode, ACLs, quotas, sparse files, object ids, named streams. */
const ATTRIBUTES = 0x0001006f
const MAX_NAME = 255

const fixed = (bytes: Buffer): Info => ({ bytes, least: bytes.length })

/** `SAMB`, the version as a number, and as a text of 28 bytes. */
const EXTENDED = (() => {
  const text = Buffer.alloc(28)
  text.write(VERSION, 'latin1')
  return join(u32(0x536d4261), Buffer.from([0, 12, 0x11, 4]), u32(0), u64(0), text)
})()

const CLASSES: Readonly<Record<number, (machine: SambaMachine) => Info>> = {
  // FileFsVolumeInformation
  1: ({ volumeSerial, share, tree }) => {
    const label = utf16(share.name)
    return {
      bytes: join(u64(tree.times.createdAt), u32(volumeSerial), u32(label.length), u8(0), u8(0), label),
      least: 24,
    }
  },
  // FileFsLabelInformation, in characters of one byte
  2: ({ share }) => {
    const label = Buffer.from(share.name)
    return { bytes: join(u32(label.length), label), least: 0 }
  },
  // FileFsSizeInformation
  3: ({ volumeBlocks, freeBlocks }) =>
    fixed(join(u64(volumeBlocks), u64(freeBlocks), u32(BLOCK_SECTORS), u32(SECTOR_BYTES))),
  // FileFsDeviceInformation
  4: () => fixed(join(u32(FILE_DEVICE_DISK), u32(CHARACTERISTICS))),
  // FileFsAttributeInformation
  5: () => {
    const name = utf16('NTFS')
    return { bytes: join(u32(ATTRIBUTES), u32(MAX_NAME), u32(name.length), name), least: 16 }
  },
  // FileFsFullSizeInformation
  7: ({ volumeBlocks, freeBlocks }) =>
    fixed(join(u64(volumeBlocks), u64(freeBlocks), u64(freeBlocks), u32(BLOCK_SECTORS), u32(SECTOR_BYTES))),
  // FileFsObjectIdInformation
  8: ({ volumeId }) => ({ bytes: join(volumeId, EXTENDED), least: 0 }),
  // FileFsSectorSizeInformation
  11: () => fixed(join(u32(512), u32(512), u32(512), u32(512), u32(3), zeros(8))),
}

const QUOTA = 6

export const volumeInfo = (infoClass: number, machine: SambaMachine): Info | number =>
  infoClass === QUOTA ? STATUS.accessDenied : (CLASSES[infoClass]?.(machine) ?? STATUS.invalidInfoClass)
