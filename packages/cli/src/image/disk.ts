// The disk of an image: a boot code, a FAT partition that starts the kernel, and the system behind it.
//
//   sector 0      2048             198656
//   ┌───────────┬─────────────────┬──────────────────────────────┐
//   │ MBR, code │ FAT16, syslinux │ ext4, label `bird`           │
//   └───────────┴─────────────────┴──────────────────────────────┘
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MBR } from './programs.ts'
import { runProgram } from './run-program.ts'
import { ROOT_LABEL } from './system-files.ts'

const SECTOR = 512
const BOOT = { at: 2_048, sectors: 196_608 }
const ROOT_AT = BOOT.at + BOOT.sectors
/** 2 GiB: four times what the system takes. */
export const DISK_BYTES = 2 * 1024 ** 3
export const ROOT_BYTES = DISK_BYTES - ROOT_AT * SECTOR

/** The kernel speaks to a serial port, too; the screen is where services speak. */
const SYSLINUX = `DEFAULT bird
PROMPT 0
LABEL bird
  KERNEL vmlinuz
  INITRD initrd
  APPEND root=LABEL=${ROOT_LABEL} ro console=ttyS0,115200 console=tty0 panic=10 loglevel=4
`

/** Of `vmlinuz`, `initrd` and `root.img` in the folder makes `disk.img`. */
export async function makeDisk(folder: string): Promise<void> {
  const file = (name: string): string => join(folder, name)
  writeFileSync(file('disk.img'), partitionTable(readFileSync(MBR)))
  writeFileSync(file('syslinux.cfg'), SYSLINUX)
  const place = (sector: number): string => String((sector * SECTOR) / 1_048_576)
  const copy = ['dd', 'bs=1M', 'conv=sparse,notrunc', 'status=none', `of=${file('disk.img')}`]
  await runProgram(['truncate', '-s', String(DISK_BYTES), file('disk.img')])
  await runProgram([...copy, `if=${file('root.img')}`, `seek=${place(ROOT_AT)}`])
  const boot = ['-i', `${file('disk.img')}@@${BOOT.at * SECTOR}`]
  await runProgram([
    'mformat',
    ...boot,
    '-T',
    String(BOOT.sectors),
    '-h',
    '255',
    '-s',
    '63',
    '-H',
    String(BOOT.at),
    '::',
  ])
  await runProgram(['mcopy', ...boot, ...['vmlinuz', 'initrd', 'syslinux.cfg'].map(file), '::'])
  await runProgram(['syslinux', '--install', '--offset', String(BOOT.at * SECTOR), file('disk.img')])
}

/** The first sector: 440 bytes of code, a number of the disk, four entries of 16 bytes, 55 AA. */
function partitionTable(code: Uint8Array): Buffer {
  const sector = Buffer.alloc(SECTOR)
  sector.set(code.subarray(0, 440))
  sector.writeUInt32LE(0x4b52_4f42, 440)
  sector.set(partition({ active: true, type: 0x0e, ...BOOT }), 446)
  sector.set(partition({ active: false, type: 0x83, at: ROOT_AT, sectors: ROOT_BYTES / SECTOR }), 462)
  sector.set([0x55, 0xaa], 510)
  return sector
}

/** 0 active   1 first cylinder, head, sector   4 type   5 the last ones   8 first sector   12 sectors */
function partition(it: {
  readonly active: boolean
  readonly type: number
  readonly at: number
  readonly sectors: number
}): Buffer {
  const entry = Buffer.alloc(16)
  // Beyond what cylinders can name: the sectors count.
  entry.set([it.active ? 0x80 : 0, 0xfe, 0xff, 0xff, it.type, 0xfe, 0xff, 0xff])
  entry.writeUInt32LE(it.at, 8)
  entry.writeUInt32LE(it.sectors, 12)
  return entry
}
