// What the links of images and of seed disks open.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { findImage, type ImageFormat } from '../../flows/images/images.ts'
import { vhdSeed, vmdkSeed } from '../../flows/images/seed-disk.ts'
import type { OpenLinked } from '../../http/signed-link.ts'

const SEEDS = { vmdk: vmdkSeed, vhd: vhdSeed }

export type SeedKind = keyof typeof SEEDS

export const openImage =
  (folder: string): OpenLinked =>
  async ({ args: { version = '', format } }) => {
    const { path, size, changedAt } = await findImage(folder, version, format as ImageFormat)
    return {
      size,
      etag: `${changedAt}-${size}`,
      read: (from, to) =>
        to > from ? createReadStream(path, { start: from, end: to - 1 }) : Readable.from([]),
    }
  }

/** The same bytes at each call: made of the link alone. */
export const openSeed: OpenLinked = ({ args: { kind, consoleUrl = '', code = '' } }) => {
  const bytes = SEEDS[kind as SeedKind]({ consoleUrl, code })
  const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  return Promise.resolve({
    size: bytes.byteLength,
    etag,
    read: (from, to) => Readable.from([bytes.subarray(from, to)]),
  })
}
