// What a client asks about the volume ([MS-FSCC] 2.5): NTFS on a disk of some hundred gigabytes.
import { fileTime } from '../../../../../windows/filetime.ts'
import { join, u32, u64, u8, utf16, zeros } from '../../../../../windows/fields.ts'
import { STATUS, type Status } from '../../../protocol/codec/status.ts'
import type { Machine } from '../machine.ts'

const CLUSTER_SECTORS = 8
const SECTOR_BYTES = 512
/** Between a half and a sixth of the disk. */
const freeClusters = ({ volumeSerial, volumeClusters }: Machine): number =>
  Math.floor(volumeClusters / 6) + (volumeSerial % Math.floor(volumeClusters / 3))

const FILE_DEVICE_DISK = 7
/** Case is kept, names are Unicode, ACLs, sparse files, reparse points, object ids, named streams … as NTFS has them. */
const NTFS_ATTRIBUTES = 0x03c706ff
const NTFS_MAX_NAME = 255

const CLASSES: Readonly<Record<number, (machine: Machine) => Buffer | Status>> = {
  // FileFsVolumeInformation
  1: ({ volumeSerial, installedAt }) => {
    const label = utf16('Data')
    return join(u64(fileTime(installedAt)), u32(volumeSerial), u32(label.length), u8(1), u8(0), label)
  },
  // FileFsSizeInformation
  3: (machine) =>
    join(u64(machine.volumeClusters), u64(freeClusters(machine)), u32(CLUSTER_SECTORS), u32(SECTOR_BYTES)),
  // FileFsDeviceInformation
  4: () => join(u32(FILE_DEVICE_DISK), u32(0x20)),
  // FileFsAttributeInformation
  5: () => {
    const name = utf16('NTFS')
    return join(u32(NTFS_ATTRIBUTES), u32(NTFS_MAX_NAME), u32(name.length), name)
  },
  // FileFsControlInformation: quotas are for administrators
  6: () => STATUS.accessDenied,
  // FileFsFullSizeInformation
  7: (machine) => {
    const free = u64(freeClusters(machine))
    return join(u64(machine.volumeClusters), free, free, u32(CLUSTER_SECTORS), u32(SECTOR_BYTES))
  },
  // FileFsObjectIdInformation
  8: ({ volumeId }) => join(volumeId, zeros(48)),
  // FileFsSectorSizeInformation
  11: () => join(u32(512), u32(4_096), u32(4_096), u32(4_096), u32(3), u32(0), u32(0)),
}

/** What must fit: the structure of C with its padding, where a text is at the end; the whole of others. */
export const leastVolumeBytes = (infoClass: number, info: Buffer): number =>
  infoClass === 1 ? 24 : infoClass === 5 ? 16 : info.length

export const volumeInfo = (infoClass: number, machine: Machine): Buffer | Status =>
  CLASSES[infoClass]?.(machine) ?? STATUS.invalidInfoClass
