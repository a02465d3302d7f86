// Debian's alias `/icons/`: the pictures of folder listings. Names, lengths, sizes and dates are those of the package; the
// pictures are blank ones of our own.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Asset } from '../../protocol/skin.ts'
import { typeOfName } from '../../protocol/file-rules.ts'
import { blankGif, blankPng, blankSvg } from './blank-image.ts'
import { apacheFiles } from './files.ts'
import { ICONS } from './icons.data.ts'

const PREFIX = '/icons/'
const DATES = byWord<number>({
  '': Date.UTC(2026, 10, 9, 3, 7, 5),
  o: Date.UTC(2025, 11, 5, 10, 21, 29),
  d: Date.UTC(2026, 10, 12, 8, 58, 41),
})

interface Icon {
  readonly length: number
  readonly width: number
  readonly height: number
  readonly modifiedAt: number
}

const icons = new Map(ICONS.trim().split('\n').map(readLine))
/** Drawn when they are asked for; 0.4 MB in all. */
const drawn = new Map<string, Asset>()

/** The file at this path, such as `/icons/a.gif`. */
export function iconAt(path: string): Asset | undefined {
  if (!path.startsWith(PREFIX)) return undefined
  const name = path.slice(PREFIX.length)
  const icon = icons.get(name)
  if (!icon) return undefined
  const known = drawn.get(name)
  if (known) return known
  const asset = draw(name, icon)
  drawn.set(name, asset)
  return asset
}

function readLine(line: string): [string, Icon] {
  const [name = '', length, size = '', date = ''] = line.split(' ')
  const [width, height] = size.split('x').map(Number)
  return [
    name,
    { length: Number(length), width: width ?? 0, height: height ?? 0, modifiedAt: DATES[date] ?? 0 },
  ]
}

function draw(name: string, { length, width, height, modifiedAt }: Icon): Asset {
  const type = typeOfName(apacheFiles, name) ?? ''
  const blank = type === 'image/gif' ? blankGif : type === 'image/png' ? blankPng : blankSvg
  return {
    bytes: blank(width, height, length),
    gzipped: undefined,
    type,
    etag: apacheFiles.etag(length, modifiedAt),
    modifiedAt,
  }
}
