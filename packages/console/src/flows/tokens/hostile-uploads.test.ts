// Documents made to harm the program that reads them: each is a 400 that names the parameter, and the next file is made.
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { openTestConsole } from '../../../test/test-console.ts'

const MEBIBYTE = 1024 * 1024

/** A PDF whose page lies in a stream of objects that unpacks to 100 MiB; the bomb itself has 100 KiB. */
function pdfBomb(): Buffer {
  const packed = deflateSync(Buffer.concat([Buffer.from('9 0 << >> '), Buffer.alloc(100 * MEBIBYTE, ' ')]))
  const start = Buffer.concat([
    Buffer.from('%PDF-1.6\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'),
    Buffer.from('2 0 obj\n<< /Type /Pages /Kids [9 0 R] /Count 1 >>\nendobj\n'),
    Buffer.from(
      `4 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
    ),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ])
  const end = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${start.length}\n%%EOF\n`
  return Buffer.concat([start, Buffer.from(end)])
}

/** One without its end, of which a reader finds no page. */
const cutShort = Buffer.from('%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages ')

/** An archive of 50 MiB of zeros, which says that it has less. */
const zipBomb = (size: number): Buffer =>
  writeZip([
    zipEntry('[Content_Types].xml', '<Types/>'),
    { ...zipEntry('word/document.xml', Buffer.alloc(50 * MEBIBYTE)), size },
  ])

const file = (bytes: Uint8Array): File => new File([new Uint8Array(bytes)], 'given')

it('bombs, encrypted documents and files of another kind are refused by name, and nothing is stored', async () => {
  const rookery = await openTestConsole()
  const wrong: [kind: string, parameter: string, reason: string, bytes: Buffer][] = [
    ['pdf-reader', 'pdf', 'must be a PDF whose first page can be found: qpdf', pdfBomb()],
    ['pdf-reader', 'pdf', 'must be a file of the format pdf', zipBomb(1)],
    ['pdf-reader', 'pdf', 'repairs what can be repaired', cutShort],
    ['doc-wordproc', 'doc', 'compressed at most 100 times', zipBomb(50 * MEBIBYTE)],
    ['doc-wordproc', 'doc', 'the size and the checksum that its directory says', zipBomb(4_000_000)],
    ['doc-wordproc', 'doc', 'must be a file of the format docx', Buffer.from('\xd0\xcf\x11\xe0', 'latin1')],
  ]
  for (const [kind, parameter, reason, bytes] of wrong) {
    const creating = rookery.api.tokens.create({ kind, memo: 'm', [parameter]: file(bytes) })
    await expect(creating, reason).rejects.toMatchObject({
      status: 400,
      details: { [parameter]: expect.stringContaining(reason) as string },
    })
  }
  const { reader } = rookery.console.base
  expect(await reader.selectFrom('token_file').select('file_id').execute()).toEqual([])
  const made = await rookery.api.tokens.create({ kind: 'pdf-reader', memo: 'm' })
  expect(made.decoytoken.renders).toHaveProperty('hostname')
  const downloaded = await rookery.get('/decoytoken/download', { decoytoken: made.decoytoken.decoytoken })
  expect(downloaded.text.startsWith('%PDF-')).toBe(true)
})
