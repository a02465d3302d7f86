// What a client asks about the volume: Samba says NTFS, whatever it is.
import { join, u32, u64 } from '../../../../../windows/fields.ts'
import type { Info } from '../../../protocol/info/file-classes.ts'
import { aboutVolume } from '../../../protocol/info/volume-classes.ts'
import { VERSION, type SambaMachine } from '../machine.ts'

/** Case is kept, names are Unicode, ACLs, quotas, sparse files, object ids, named streams. */
const ATTRIBUTES = 0x0001006f
/** Mounted, and read only. */
const CHARACTERISTICS = 0x22

/** `SAMB`, the version as a number, and as a text of 28 bytes. */
const EXTENDED = (() => {
  const text = Buffer.alloc(28)
  text.write(VERSION, 'latin1')
  return join(u32(0x536d4261), Buffer.from([0, 12, 0x11, 4]), u32(0), u64(0), text)
})()

const LABEL = 2

export function volumeInfo(infoClass: number, machine: SambaMachine): Info | number {
  const { tree, volumeSerial, volumeBlocks, freeBlocks, volumeId, share } = machine
  if (infoClass === LABEL) {
    // In characters of one byte.
    const label = Buffer.from(share.name)
    return { bytes: join(u32(label.length), label), least: 0 }
  }
  return aboutVolume(infoClass, {
    createdAt: tree.times.createdAt,
    serial: volumeSerial,
    label: share.name,
    hasObjects: false,
    units: volumeBlocks,
    freeUnits: freeBlocks,
    unitSectors: 2,
    characteristics: CHARACTERISTICS,
    attributes: ATTRIBUTES,
    physicalSectorBytes: 512,
    objectId: { bytes: join(volumeId, EXTENDED), least: 0 },
  })
}
