// Images of a Bird's machine: files in <data>/images, put there by `rookery image add`.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'

/** How the names of images end. */
export const IMAGE_ENDINGS = { ova: '.ova', vmx: '.vmx.zip', vhdx: '.vhdx.zip' } as const

export type ImageFormat = keyof typeof IMAGE_ENDINGS

export interface ImageName {
  readonly version: string
  readonly format: ImageFormat
}

export interface Image extends ImageName {
  readonly filename: string
  readonly path: string
  readonly size: number
  readonly changedAt: number
}

const NAME = /^rookery-bird-(\d[\w.+~-]{0,63}?)(\.ova|\.vmx\.zip|\.vhdx\.zip)$/

/** `rookery-bird-3.0.0.ova`. */
export const imageFilename = ({ version, format }: ImageName): string =>
  `rookery-bird-${version}${IMAGE_ENDINGS[format]}`

/** Undefined for a file that is called otherwise. */
export function parseImageName(filename: string): ImageName | undefined {
  const [, version, ending] = NAME.exec(filename) ?? []
  const format = (Object.keys(IMAGE_ENDINGS) as ImageFormat[]).find((it) => IMAGE_ENDINGS[it] === ending)
  return version !== undefined && format !== undefined ? { version, format } : undefined
}

const ADD =
  'Build it with `rookery image build`, then add it on the machine of the console with `rookery image add`.'

/** Rejects with `conflict` where no image was added, or none of this format; with `not-found` for an unknown version. */
export async function findImage(folder: string, version: string, format: ImageFormat): Promise<Image> {
  const images = await imagesOf(folder, version)
  const found = images.find((it) => it.format === format)
  if (!found)
    throw new Fault(
      'conflict',
      `The console has no ${IMAGE_ENDINGS[format]} image of release ${version}. ${ADD}`,
    )
  const { size, mtimeMs } = await stat(found.path)
  return { ...found, size, changedAt: Math.floor(mtimeMs) }
}

/** Those of a release; rejects as `findImage` does. */
export async function imagesOf(
  folder: string,
  version: string,
): Promise<readonly Omit<Image, 'size' | 'changedAt'>[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const images = names.flatMap((filename) => {
    const name = parseImageName(filename)
    return name ? [{ ...name, filename, path: join(folder, filename) }] : []
  })
  if (images.length === 0) throw new Fault('conflict', `The console has no image of a Bird. ${ADD}`)
  const found = images.filter((it) => it.version === version)
  if (found.length > 0) return found
  const versions = [...new Set(images.map((it) => it.version))].sort().join(', ')
  throw new Fault(
    'not-found',
    `There is no image of release ${JSON.stringify(version)}; the console has images of ${versions}.`,
  )
}
