// Builds the images of a Bird's machine: Debian by mmdebstrap, one disk without a loop device, and its three forms.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { imageFilename, type ImageFormat } from '@rookery/console/flows/images/images.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import type { ReleaseKey } from '@rookery/link/release/signature.ts'
import { birdPackage } from '../package/bird-package.ts'
import { debOf } from '../package/deb.ts'
import { streamTarOf, tarOf } from '../package/tar.ts'
import { aptOptions, debianSources } from './apt.ts'
import { makeDisk, DISK_BYTES } from './disk.ts'
import { NAME, ovfOf, vmxOf } from './machine-files.ts'
import { checkPrograms } from './programs.ts'
import { asRoot, PATH, runProgram } from './run-program.ts'
import { makeSystem } from './system.ts'
import { systemFiles } from './system-files.ts'

export interface ImageOptions {
  readonly clone: string
  /** Of the Bird. */
  readonly version: string
  /** The folder that gets the images. */
  readonly out: string
  /** Where the Bird belongs; empty: a seed disk says it. */
  readonly consoleUrl: string
  /** Of releases that the Birds take. */
  readonly keys: readonly ReleaseKey[]
  readonly say: (line: string) => void
}

/** The system, the disk, and two forms of it at a time. */
const NEEDED_BYTES = 3e9

/** Answers the files. Throws a Fault that says what is missing. */
export async function buildImages({
  clone,
  version,
  out,
  consoleUrl,
  keys,
  say,
}: ImageOptions): Promise<string[]> {
  checkPrograms(process.getuid?.() === 0, PATH)
  const wrap = await asRoot()
  const sources = await debianSources()
  mkdirSync(out, { recursive: true })
  checkRoom(out)
  const folder = mkdtempSync(join(out, '.building-'))
  try {
    // apt reads it as another user.
    chmodSync(folder, 0o755)
    const file = (name: string): string => join(folder, name)
    writeFileSync(file('bird.deb'), debOf(await birdPackage(clone, `${version}-1`, keys)))
    writeFileSync(file('system.tar'), tarOf(systemFiles()))
    say(`Debian ${sources.codename}, by the sources of this machine`)
    await makeSystem({ folder, wrap, sources, options: await aptOptions(), consoleUrl })
    say('the disk')
    await makeDisk(folder)
    const images: string[] = []
    for (const format of ['ova', 'vmx', 'vhdx'] as const) {
      const path = join(out, imageFilename({ version, format }))
      say(path)
      writeFileSync(file('image'), await FORMS[format](folder))
      chmodSync(file('image'), 0o644)
      renameSync(file('image'), path)
      images.push(path)
    }
    return images
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checkRoom(out: string): void {
  const { bavail, bsize } = statfsSync(out)
  if (bavail * bsize >= NEEDED_BYTES) return
  const [has, needs] = [bavail * bsize, NEEDED_BYTES].map((bytes) => `${(bytes / 1e9).toFixed(1)} GB`)
  throw new Fault(
    'bad-input',
    `${out} has ${has} of room; building an image needs ${needs}. Name another folder by --out.`,
  )
}

type Form = (folder: string) => Promise<Uint8Array>

async function converted(folder: string, name: string, ...options: string[]): Promise<Buffer> {
  const path = join(folder, name)
  await runProgram(['qemu-img', 'convert', '-f', 'raw', ...options, join(folder, 'disk.img'), path])
  try {
    return readFileSync(path)
  } finally {
    rmSync(path)
  }
}

const VMDK = ['-O', 'vmdk', '-o']

const FORMS: Readonly<Record<ImageFormat, Form>> = {
  async ova(folder) {
    const filename = `${NAME}-disk1.vmdk`
    const disk = await converted(folder, filename, ...VMDK, 'subformat=streamOptimized,adapter_type=ide')
    const ovf = Buffer.from(ovfOf({ filename, size: disk.length, capacity: DISK_BYTES }))
    const sums = [
      [`${NAME}.ovf`, ovf],
      [filename, disk],
    ] as const
    const manifest = sums.map(([name, bytes]) => `SHA256(${name})= ${sha256(bytes)}\n`).join('')
    // The order is the standard's (DSP0243, 5.3).
    return streamTarOf([
      { path: `${NAME}.ovf`, bytes: ovf },
      { path: `${NAME}.mf`, bytes: Buffer.from(manifest) },
      { path: filename, bytes: disk },
    ])
  },
  async vmx(folder) {
    const filename = `${NAME}.vmdk`
    const disk = await converted(folder, filename, ...VMDK, 'subformat=monolithicSparse,adapter_type=ide')
    return writeZip([zipEntry(`${NAME}.vmx`, vmxOf(filename)), zipEntry(filename, disk)])
  },
  async vhdx(folder) {
    const filename = `${NAME}.vhdx`
    return writeZip([
      zipEntry(filename, await converted(folder, filename, '-O', 'vhdx', '-o', 'subformat=dynamic')),
    ])
  },
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
