// What a client asks about the volume ([MS-FSCC] 2.5), by information class: all servers say NTFS.
import { join, u32, u64, u8, utf16 } from '../../../../windows/fields.ts'
import { STATUS } from '../codec/status.ts'
import { fixed, named, type Info } from './file-classes.ts'

export interface Volume {
  readonly createdAt: bigint
  readonly serial: number
  readonly label: string
  readonly hasObjects: boolean
  readonly units: number
  readonly freeUnits: number
  readonly unitSectors: number
  readonly characteristics: number
  readonly attributes: number
  readonly physicalSectorBytes: number
  readonly objectId: Info
}

const SECTOR_BYTES = 512
const FILE_DEVICE_DISK = 7
const MAX_NAME = 255

const CLASSES: Readonly<Record<number, (volume: Volume) => Info>> = {
  // FileFsVolumeInformation
  1: ({ createdAt, serial, label, hasObjects }) => {
    const name = utf16(label)
    const head = join(u64(createdAt), u32(serial), u32(name.length), u8(hasObjects ? 1 : 0), u8(0))
    return { bytes: join(head, name), least: 24 }
  },
  // FileFsSizeInformation
  3: ({ units, freeUnits, unitSectors }) =>
    fixed(join(u64(units), u64(freeUnits), u32(unitSectors), u32(SECTOR_BYTES))),
  // FileFsDeviceInformation
  4: ({ characteristics }) => fixed(join(u32(FILE_DEVICE_DISK), u32(characteristics))),
  // FileFsAttributeInformation
  5: ({ attributes }) => named(join(u32(attributes), u32(MAX_NAME)), 'NTFS', 16),
  // FileFsFullSizeInformation
  7: ({ units, freeUnits, unitSectors }) =>
    fixed(join(u64(units), u64(freeUnits), u64(freeUnits), u32(unitSectors), u32(SECTOR_BYTES))),
  // FileFsObjectIdInformation
  8: ({ objectId }) => objectId,
  // FileFsSectorSizeInformation
  11: ({ physicalSectorBytes: bytes }) =>
    fixed(join(...[SECTOR_BYTES, bytes, bytes, bytes, 3, 0, 0].map(u32))),
}

/** FileFsControlInformation: quotas are for administrators. */
const QUOTA = 6

/** What is asked for, or why it is not answered. */
export const aboutVolume = (infoClass: number, volume: Volume): Info | number =>
  infoClass === QUOTA ? STATUS.accessDenied : (CLASSES[infoClass]?.(volume) ?? STATUS.invalidInfoClass)
