import { expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import plainExcel from '../../kinds/doc-spreadsheet/forge.ts'
import plainWord from '../../kinds/doc-wordproc/forge.ts'
import word from '../../kinds/wordproc-macro/forge.ts'
import wordKind from '../../kinds/wordproc-macro/token.ts'
import excel from '../../kinds/spreadsheet-macro/forge.ts'
import { readParts, readXml } from '../package.ts'
import { unpack } from '@rookery/kernel/zip/read.ts'
import { compoundFile } from './compound-file.ts'

const address = { tokenId: 'abc', url: 'http://t.example/img/abc/pixel.gif', hostname: 'abc.t.example' }

/** The streams of a compound file by their names, read along its tables (MS-CFB). */
function streamsOf(file: Buffer): Record<string, Buffer> {
  const sector = (n: number): Buffer => file.subarray((n + 1) * 512, (n + 2) * 512)
  const fat = sector(file.readUInt32LE(76))
  const chain = (first: number, table: Buffer): number[] => {
    const found: number[] = []
    for (let n = first; n < 0xfffffffa; n = table.readUInt32LE(n * 4)) found.push(n)
    return found
  }
  const read = (first: number): Buffer => Buffer.concat(chain(first, fat).map(sector))
  const directory = read(file.readUInt32LE(48))
  const miniFat = read(file.readUInt32LE(60))
  const mini = read(directory.readUInt32LE(116))
  const streams: Record<string, Buffer> = {}
  for (let at = 0; at < directory.length; at += 128) {
    if (directory[at + 66] !== 2) continue
    const name = directory.toString('utf16le', at, at + directory.readUInt16LE(at + 64) - 2)
    const pieces = chain(directory.readUInt32LE(at + 116), miniFat).map((n) =>
      mini.subarray(n * 64, n * 64 + 64),
    )
    streams[name] = Buffer.concat(pieces).subarray(0, directory.readUInt32LE(at + 120))
  }
  return streams
}

/** The text of a compressed chunk of literals. */
const textOf = (stream: Buffer = Buffer.alloc(0)): string =>
  Buffer.from(stream.subarray(3).filter((_, at) => at % 9 !== 0)).toString('latin1')

it('streams of any size below 4,096 bytes come back, in folders as well', () => {
  const content = [0, 1, 63, 64, 65, 4_095].map((length): [string, Buffer] => [
    `s${length}`,
    Buffer.alloc(length, length),
  ])
  const folder = Object.fromEntries(content)
  expect(streamsOf(compoundFile({ ...folder, inside: { deep: Buffer.from('x') } }))).toEqual({
    ...folder,
    deep: Buffer.from('x'),
  })
  expect(() => compoundFile({ large: Buffer.alloc(4_096) })).toThrow(
    'The stream large has 4096 bytes or more.',
  )
})

it.each([
  ['xlsm', excel, 'xl/vbaProject.bin', 'ThisWorkbook', 'Workbook_Open'],
  ['docm', word, 'word/vbaProject.bin', 'ThisDocument', 'Document_Open'],
] as const)('a %s has a macro that reports who opened it', async (ending, forge, part, module, event) => {
  const { filename, bytes } = await forgeFile(forge, { address })
  expect(filename.endsWith(`.${ending}`)).toBe(true)
  expect(await forgeFile(forge, { address })).toMatchObject({ filename, bytes })
  const project = (await readParts(bytes)).find(({ name }) => name === part)
  const streams = project ? streamsOf(unpack(project, 100_000)) : {}
  const source = textOf(streams[module])
  expect(source).toContain(`Attribute VB_Name = "${module}"\r\n`)
  expect(source).toContain(`\r\nPrivate Sub ${event}()\r\n  On Error Resume Next\r\n`)
  expect(source).toContain('address = "http://t.example/img/abc/pixel.gif?user=" & user')
  expect(source).toContain('".mac.abc.t.example/"')
  expect(streams['PROJECT']?.toString()).toMatch(/^ID="\{[0-9A-F-]{36}\}"\r\n/)
})

const doc = (filename: string) => ({ doc: { fileId: 'f', filename, contentType: '', size: 1 } })
const textOfPart = async (bytes: Uint8Array, name: string): Promise<string> =>
  readXml(await readParts(bytes), name).toString()
const streamsIn = async (bytes: Uint8Array, name: string) => {
  const project = (await readParts(bytes)).find((part) => part.name === name)
  return project ? streamsOf(unpack(project, 100_000)) : {}
}

it('an uploaded document without macros becomes one with them, and keeps its text', async () => {
  const given = await forgeFile(plainWord, { address })
  const { filename, contentType, bytes } = await forgeFile(word, {
    address,
    settings: doc('Plan 2027.docx'),
    uploads: { doc: given.bytes },
  })
  expect([filename, contentType]).toEqual([
    'Plan 2027.docm',
    'application/vnd.ms-word.document.macroEnabled.12',
  ])
  expect(await textOfPart(bytes, 'word/document.xml')).toBe(
    await textOfPart(given.bytes, 'word/document.xml'),
  )
  expect(await textOfPart(bytes, '[Content_Types].xml')).toContain(
    'PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"',
  )
  expect(await textOfPart(bytes, 'word/_rels/document.xml.rels')).toMatch(
    /Type="[^"]*\/vbaProject" Target="\/word\/vbaProject.bin"/,
  )
  expect(await textOfPart(bytes, 'word/_rels/vbaProject.bin.rels')).toContain('Target="/word/vbaData.xml"')
  const streams = await streamsIn(bytes, 'word/vbaProject.bin')
  expect(textOf(streams['ThisDocument'])).toContain('\r\nPrivate Sub Document_Open()\r\n')
})

it('an uploaded workbook gets the names by which its macros know it and its sheets', async () => {
  const given = await forgeFile(plainExcel, { address })
  const { filename, contentType, bytes } = await forgeFile(excel, {
    address,
    settings: doc('Prices.xlsx'),
    uploads: { doc: given.bytes },
  })
  expect([filename, contentType]).toEqual(['Prices.xlsm', 'application/vnd.ms-excel.sheet.macroEnabled.12'])
  expect(await textOfPart(bytes, 'xl/workbook.xml')).toContain(
    '<workbookPr codeName="ThisWorkbook" defaultThemeVersion="166925"/>',
  )
  expect(await textOfPart(bytes, 'xl/worksheets/sheet1.xml')).toMatch(
    /<worksheet [^>]*><sheetPr codeName="Sheet1"\/><dimension /,
  )
  const streams = await streamsIn(bytes, 'xl/vbaProject.bin')
  expect(textOf(streams['ThisWorkbook'])).toContain('\r\nPrivate Sub Workbook_Open()\r\n')
  expect(textOf(streams['Sheet1'])).toContain('Attribute VB_Base = "0{00020820-')
})

it('a document with macros of its own is refused, with what would help', async () => {
  for (const [forge, ending] of [
    [word, 'docx'],
    [excel, 'xlsx'],
  ] as const) {
    const uploads = { doc: (await forgeFile(forge, { address })).bytes }
    await expect(forgeFile(forge, { address, settings: doc('a'), uploads })).rejects.toMatchObject({
      code: 'bad-input',
      details: {
        doc: expect.stringContaining(`without macros of its own: save it as ${ending} first`) as string,
      },
    })
  }
})

it('a look-up fires once it says who opened the document; a request shows what its address says', () => {
  const { dns, http } = wordKind.on
  const visit = (name: string): DnsVisit => ({
    channel: 'dns',
    qtype: 'A',
    isNx: false,
    network: '192.0.2.0/24',
    qname: name,
    labels: name.split('.'),
    srcHost: '192.0.2.7',
    dstPort: 53,
    headers: {},
  })
  expect(
    ['pc7.corp.mac', 'mac', 'jane.pc7.corp.ini'].map((name) => dns?.judge?.(visit(name), {}, 0)),
  ).toEqual(Array(3).fill('quiet'))
  expect(dns?.judge?.(visit('jane.doe.pc7.corp.mac'), {}, 0)).toBe('fire')
  expect(dns?.describe?.(visit('jane.doe.pc7.corp.mac'), {}, 0)).toMatchObject({
    user: 'jane.doe',
    computer: 'pc7',
    domain: 'corp',
  })
  const request = {
    channel: 'http',
    method: 'GET',
    path: '/a?user=jane%20doe&computer=PC7&domain=&app=16.0',
    headers: {},
  } as const
  expect(http?.describe?.({ ...request, srcHost: '192.0.2.7', dstPort: 80 }, {}, 0)).toMatchObject({
    user: 'jane doe',
    computer: 'PC7',
    app: '16.0',
  })
})
