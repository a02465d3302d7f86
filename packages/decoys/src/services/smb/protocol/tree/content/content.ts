// What a file of the tree holds, by its extension. The same bytes for the same Bird, path and size, whenever they are read.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Content } from '../../../../../windows/fields.ts'
import { draw, type Derive } from '../../../../../machine/draw.ts'
import { wordDocument, workbook } from './office.ts'
import { pdf } from './pdf.ts'
import { readPieces, type Pieces } from './pieces.ts'
import { textBlock } from './text.ts'
import { zip } from './zip.ts'

export interface ContentOf {
  /** Its name with extension, such as `Budget 2026.xlsx`. */
  readonly name: string
  /** With all its folders: another path has another content. */
  readonly path: string
  readonly size: number
  /** Milliseconds UTC. */
  readonly modifiedAt: number
}

export interface FileContent {
  /** The bytes from `offset`, at most `length`; fewer at the end of the file. */
  readonly read: (offset: number, length: number) => Content
}

const TEXT = new Set([
  'txt',
  'csv',
  'log',
  'ini',
  'json',
  'sql',
  'bat',
  'md',
  'ps1',
  'xml',
  'cfg',
  'conf',
  'rdp',
])

/** First bytes of formats that nobody opens here. */
const MAGIC = byWord<string>({
  jpg: 'ffd8ffe000104a46494600010101006000600000',
  png: '89504e470d0a1a0a0000000d49484452',
  gif: '474946383961',
  mp4: '000000206674797069736f6d',
  exe: '4d5a90000300000004000000ffff0000',
  doc: 'd0cf11e0a1b11ae1',
  xls: 'd0cf11e0a1b11ae1',
  ppt: 'd0cf11e0a1b11ae1',
  msg: 'd0cf11e0a1b11ae1',
  pst: '2142444e',
  vhdx: '7668647866696c65',
  bak: '54415045',
  kdbx: '03d9a29a67fb4bb5',
})

export function fileContent({ name, path, size, modifiedAt }: ContentOf, derive: Derive): FileContent {
  const label = `smb/content/${path}`
  const extension = extensionOf(name)
  const title = name.slice(0, name.length - extension.length).replace(/\.$/, '') || name
  const from = draw(derive, label)
  if (TEXT.has(extension)) return repeated(textBlock(extension, title, from, size), size)
  const key = derive(`${label}/filler`, 16)
  const pieces = piecesOf(extension, { title, from, modifiedAt, size })
  return { read: (offset, length) => readPieces(pieces, key, size, offset, length) }
}

export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

interface DocumentFacts {
  readonly title: string
  readonly from: ReturnType<typeof draw>
  readonly modifiedAt: number
  readonly size: number
}

function piecesOf(extension: string, { title, from, modifiedAt, size }: DocumentFacts): Pieces {
  switch (extension) {
    case 'docx':
      return wordDocument(title, from, modifiedAt, size)
    case 'xlsx':
      return workbook(title, from, modifiedAt, size)
    case 'pdf':
      return pdf(title, from, size)
    case 'zip': {
      const content = textBlock('txt', title, from, 4_096)
      return zip([{ name: `${title}.txt`, content }], modifiedAt, size)
    }
    default: {
      const head = Buffer.from(MAGIC[extension] ?? '', 'hex')
      return { head, gap: Math.max(0, size - head.length), tail: Buffer.alloc(0) }
    }
  }
}

/** A block of lines, again and again up to the size. */
const repeated = (block: Buffer, size: number): FileContent => ({
  read(offset, wanted) {
    const length = Math.max(0, Math.min(wanted, size - offset))
    return {
      length,
      copy(target, at) {
        const end = at + length
        for (let from = offset % block.length; at < end; from = 0)
          at += block.copy(target, at, from, Math.min(block.length, from + end - at))
      },
    }
  },
})
