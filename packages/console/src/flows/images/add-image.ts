// Puts an image of a Bird into the console's folder, once it is what its name says.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { IMAGE_ENDINGS, parseImageName, type ImageFormat } from './images.ts'

/** The name of the first file in the archive ends like this. */
const FIRST: Readonly<Record<ImageFormat, string>> = { ova: '.ovf', vmx: '.vmx', vhdx: '.vhdx' }
const HEAD_BYTES = 512

/** Answers where it is now; throws `bad-input` for another file, `unavailable` where the disk is full. */
export function addImage(file: string, folder: string): string {
  const filename = basename(file)
  const name = parseImageName(filename)
  if (!name)
    throw new Fault(
      'bad-input',
      `${file} is not called as an image is: rookery-bird-<version> and ${Object.values(IMAGE_ENDINGS).join(', ')}.`,
    )
  const first = firstName(headOf(file), name.format)
  if (first?.endsWith(FIRST[name.format]) !== true)
    throw new Fault(
      'bad-input',
      `${file} is no image that \`rookery image build\` made: its first entry must be a ${FIRST[name.format]} file${first === undefined ? '' : `, not ${JSON.stringify(first)}`}.`,
    )
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, filename)
  try {
    copyFileSync(file, `${target}.unfinished`)
    chmodSync(`${target}.unfinished`, 0o600)
    renameSync(`${target}.unfinished`, target)
  } catch (cause) {
    rmSync(`${target}.unfinished`, { force: true })
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause
    const megabytes = Math.ceil(statSync(file).size / 1e6)
    throw new Fault(
      'unavailable',
      `${folder} has no room for ${filename} (${megabytes} MB). Free some space.`,
      { cause },
    )
  }
  return target
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const from = openSync(file, 'r')
  try {
    return head.subarray(0, readSync(from, head))
  } finally {
    closeSync(from)
  }
}

/** Undefined where it is no archive of this kind: POSIX tar, or zip. */
function firstName(head: Buffer, format: ImageFormat): string | undefined {
  const at = (from: number, to: number): string => head.toString('latin1', from, to)
  if (format === 'ova') return at(257, 262) === 'ustar' ? at(0, 100).replace(/\0.*/s, '') : undefined
  return at(0, 4) === 'PK\x03\x04' ? at(30, 30 + head.readUInt16LE(26)) : undefined
}
