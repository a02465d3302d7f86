// The second disk of an image, for one machine: where its console is, and a code with which it is commissioned at once. The
// machine reads it raw at its first boot: there is no partition and no file system on it.
//
//   ROOKERY-SEED 1 \n ROOKERY_CONSOLE=https://… \n ROOKERY_ENROL=RK-… \n   then zeros up to 1 MiB
import { createHash } from 'node:crypto'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'

export interface Seed {
  readonly consoleUrl: string
  /** It has the hash of the console's key in it, too. */
  readonly code: string
}

/** How a seed begins. */
export const SEED_MARK = 'ROOKERY-SEED 1'
/** What is read of one. */
export const SEED_BYTES = 4096
const DISK_BYTES = 1_048_576
const SECTOR = 512

function seedDisk({ consoleUrl, code }: Seed): Buffer {
  const text = `${SEED_MARK}\nROOKERY_CONSOLE=${consoleUrl}\nROOKERY_ENROL=${code}\n`
  return Buffer.concat([Buffer.from(text), Buffer.alloc(DISK_BYTES)], DISK_BYTES)
}

/** A zip with a flat disk and its descriptor (Virtual Disk Format 5.0, "monolithicFlat"). */
export function vmdkSeed(seed: Seed): Buffer {
  const descriptor = `# Disk DescriptorFile
version=1
CID=fffffffe
parentCID=ffffffff
createType="monolithicFlat"

# Extent description
RW ${DISK_BYTES / SECTOR} FLAT "rookery-seed-flat.vmdk" 0

# The Disk Data Base
ddb.virtualHWVersion = "10"
ddb.geometry.cylinders = "2"
ddb.geometry.heads = "16"
ddb.geometry.sectors = "63"
ddb.adapterType = "lsilogic"
`
  return writeZip([
    zipEntry('rookery-seed.vmdk', descriptor),
    zipEntry('rookery-seed-flat.vmdk', seedDisk(seed)),
  ])
}

/** A fixed disk: its bytes, and behind them the footer. */
export function vhdSeed(seed: Seed): Buffer {
  const disk = seedDisk(seed)
  return Buffer.concat([disk, vhdFooter(createHash('sha256').update(disk).digest().subarray(0, 16))])
}

/**
 * Virtual Hard Disk Image Format Specification, "Hard Disk Footer Format":
 *
 *   0 "conectix"   8 features   12 version   16 data offset   24 time   28 creator, its version, host   40 sizes
 *   56 cylinders, heads, sectors   60 type   64 checksum   68 id
 */
function vhdFooter(id: Uint8Array): Buffer {
  const footer = Buffer.alloc(SECTOR)
  footer.write('conectix', 0, 'latin1')
  footer.writeUInt32BE(2, 8)
  footer.writeUInt32BE(0x0001_0000, 12)
  footer.fill(0xff, 16, 24)
  footer.write('win ', 28, 'latin1')
  footer.writeUInt32BE(0x000a_0000, 32)
  footer.write('Wi2k', 36, 'latin1')
  footer.writeBigUInt64BE(BigInt(DISK_BYTES), 40)
  footer.writeBigUInt64BE(BigInt(DISK_BYTES), 48)
  footer.writeUInt16BE(30, 56)
  footer.set([4, 17], 58)
  footer.writeUInt32BE(2, 60)
  footer.set(id, 68)
  footer.writeUInt32BE(~footer.reduce((sum, byte) => sum + byte, 0) >>> 0, 64)
  return footer
}
