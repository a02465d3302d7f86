// A PDF of one page (ISO 32000-1): text in Helvetica, and an object whose stream fills it up to its size.
import type { Draw } from '../../../../../machine/draw.ts'
import type { Pieces } from './pieces.ts'
import { paragraphs } from './prose.ts'

const LINE_CHARACTERS = 88

export function pdf(title: string, from: Draw, size: number): Pieces {
  const lines = [title, '', ...paragraphs(from, from.between(3, 6)).flatMap((text) => [...wrapped(text), ''])]
  const text = lines.map((line) => `(${line.replace(/[\\()]|[^\x20-\x7e]/g, escapedCharacter)}) '`).join('\n')
  const page = `BT /F1 10 Tf 14 TL 72 770 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
  ]
  const whole = (gap: number): Pieces => assembled(objects, gap)
  const least = whole(0)
  // The length of the stream, and the offset of the table, take more digits the longer they are.
  let gap = Math.max(0, size - least.head.length - least.tail.length)
  for (let over = totalOf(whole(gap)) - size; over > 0 && gap > 0; over = totalOf(whole(gap)) - size)
    gap = Math.max(0, gap - over)
  const pieces = whole(gap)
  const missing = size - totalOf(pieces)
  return missing > 0 && gap > 0
    ? { ...pieces, tail: Buffer.concat([pieces.tail, Buffer.alloc(missing, 10)]) }
    : pieces
}

const totalOf = ({ head, gap, tail }: Pieces): number => head.length + gap + tail.length

function assembled(objects: readonly string[], gap: number): Pieces {
  const offsets: number[] = []
  let head = '%PDF-1.5\n%\xe2\xe3\xcf\xd3\n'
  for (const [i, object] of [...objects, `<< /Length ${gap} >>\nstream\n`].entries()) {
    offsets.push(head.length)
    head += `${i + 1} 0 obj\n${object}${i < objects.length ? '\nendobj\n' : ''}`
  }
  const closing = '\nendstream\nendobj\n'
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 2
  const tail =
    `${closing}xref\n0 ${count}\n0000000000 65535 f \n${table}` +
    `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${head.length + gap + closing.length}\n%%EOF\n`
  return { head: Buffer.from(head, 'latin1'), gap, tail: Buffer.from(tail, 'latin1') }
}

const escapedCharacter = (character: string): string => ('\\()'.includes(character) ? `\\${character}` : '?')

function wrapped(text: string): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + word.length < LINE_CHARACTERS) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
