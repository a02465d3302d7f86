// A document of ours: a memorandum of one page, in the fonts that every reader has (ISO 32000-1, 9.6.2.2).
import { deflateSync } from 'node:zlib'
import type { Draws } from '../../draws.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { memorandum } from '../../pretexts/memorandum.ts'

export interface NewPdf {
  readonly filename: string
  readonly bytes: Buffer
}

/** The page has an action for its opening, with this address. */
export function newPdf(draws: Draws, url: string): NewPdf {
  const { title, author, paragraphs } = memorandum(draws)
  const content = deflateSync(pageContent(title, author, paragraphs))
  const created = pastMoment(draws).replace(/[-:T]/g, '')
  const id = draws.text('0123456789abcdef', 32)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> /AA << /O 8 0 R >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${content.byteLength} /Filter /FlateDecode >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${escaped(title)}) /Author (${escaped(author)}) /CreationDate (D:${created}) >>`,
    `<< /S /URI /URI (${escaped(url)}) >>`,
  ]
  return {
    filename: `${title.replace(/[^A-Za-z0-9]+/g, ' ').trim()}.pdf`,
    bytes: written(objects, `/Root 1 0 R /Info 7 0 R /ID [<${id}> <${id}>]`),
  }
}

const font = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`

const LINE_CHARACTERS = 88

/** Lines of 14 points, from the upper left corner down. */
function pageContent(title: string, author: string, paragraphs: readonly string[]): string {
  const lines = paragraphs.flatMap((paragraph) => [...wrapped(paragraph), ''])
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`)
  return [
    `BT /F2 18 Tf 14 TL 70 760 Td (${escaped(title)}) Tj T* T*`,
    `/F1 11 Tf (${escaped(author)}) Tj T* T* T*`,
    ...shown,
    'ET',
  ].join('\n')
}

const wrapped = (text: string): string[] =>
  text.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?:\\s|$)`, 'g'))?.map((line) => line.trim()) ?? []

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')

/** Header, objects from 1 on, cross-reference table and trailer (ISO 32000-1, 7.5). */
function written(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = pieces[0]?.length ?? 0
  for (const [n, object] of objects.entries()) {
    offsets.push(length)
    const piece = Buffer.concat([
      Buffer.from(`${n + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    pieces.push(piece)
    length += piece.length
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  pieces.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}
