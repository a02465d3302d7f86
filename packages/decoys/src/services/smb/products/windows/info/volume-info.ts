// The volume of Windows: NTFS on a disk of some hundred gigabytes.
import { join, zeros } from '../../../../../windows/fields.ts'
import { fileTime } from '../../../../../windows/filetime.ts'
import { fixed } from '../../../protocol/info/file-classes.ts'
import type { Volume } from '../../../protocol/info/volume-classes.ts'
import type { Machine } from '../machine.ts'

/** Case is kept, names are Unicode, ACLs, sparse files, reparse points, object ids, named streams … as NTFS has them. */
const NTFS_ATTRIBUTES = 0x03c706ff

export const volumeOf = ({ installedAt, volumeSerial, volumeClusters, volumeId }: Machine): Volume => ({
  createdAt: fileTime(installedAt),
  serial: volumeSerial,
  label: 'Data',
  hasObjects: true,
  units: volumeClusters,
  // Between a half and a sixth of the disk.
  freeUnits: Math.floor(volumeClusters / 6) + (volumeSerial % Math.floor(volumeClusters / 3)),
  unitSectors: 8,
  characteristics: 0x20,
  attributes: NTFS_ATTRIBUTES,
  physicalSectorBytes: 4_096,
  objectId: fixed(join(volumeId, zeros(48))),
})
