import { expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { readParts, readXml } from '../../office/package.ts'
import { zipEntry, type ZipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import forge from './forge.ts'
import sheet from './token.ts'

const url = 'http://t.example/img/abc/pixel.gif?a=1&b=2'
const addressOf = (tokenId: string, own = url) => ({ tokenId, url: own, hostname: `${tokenId}.t.example` })

it('makes a workbook with accounts, and a picture far from them', async () => {
  const { filename, bytes } = await forgeFile(forge, { address: addressOf('abc') })
  expect(filename).toMatch(/^[A-Za-z ]+\.xlsx$/)
  const parts = await readParts(bytes)
  const cells = readXml(parts, 'xl/worksheets/sheet1.xml').toString()
  expect(cells.match(/<row /g)?.length).toBeGreaterThan(12)
  const [, number = ''] = /<c r="E1" s="1" t="s"><v>(\d+)<\/v>/.exec(cells) ?? []
  const texts =
    readXml(parts, 'xl/sharedStrings.xml')
      .toString()
      .match(/<t>[^<]*/g) ?? []
  expect(texts[Number(number)]).toBe('<t>Password')
  expect(cells).not.toContain('inlineStr')
  const [, column = ''] = /<xdr:col>(\d+)</.exec(readXml(parts, 'xl/drawings/drawing1.xml').toString()) ?? []
  expect(Number(column)).toBeGreaterThan(40)
  expect(readXml(parts, 'xl/drawings/_rels/drawing1.xml.rels').toString()).toContain(
    'Target="http://t.example/img/abc/pixel.gif?a=1&#38;b=2" TargetMode="External"/>',
  )
})

it('is the same at each download, and another for another token', async () => {
  const first = await forgeFile(forge, { address: addressOf('abc') })
  expect(await forgeFile(forge, { address: addressOf('abc') })).toEqual(first)
  const other = await forgeFile(forge, { address: addressOf('def') })
  expect(Buffer.from(other.bytes).equals(first.bytes)).toBe(false)
})

it('has the parts of Excel, and shares none with another workbook but those that all workbooks share', async () => {
  const partsOf = async (tokenId: string) =>
    readParts((await forgeFile(forge, { address: addressOf(tokenId, `${url}&t=${tokenId}`) })).bytes)
  const [first, second] = [await partsOf('one'), await partsOf('two')]
  expect(first.map(({ name }) => name)).toEqual([
    ...['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
    ...['xl/worksheets/sheet1.xml', 'xl/theme/theme1.xml', 'xl/styles.xml', 'xl/sharedStrings.xml'],
    ...['xl/drawings/drawing1.xml', 'xl/worksheets/_rels/sheet1.xml.rels'],
    ...['xl/drawings/_rels/drawing1.xml.rels', 'docProps/core.xml', 'docProps/app.xml'],
  ])
  const shared = first.filter((part) =>
    second.some(({ name, crc }) => name === part.name && crc === part.crc),
  )
  // Two of them hold nothing but the title, of which there are five.
  const named = shared.map(({ name }) => name).filter((name) => !/workbook\.xml$|app\.xml$/.test(name))
  expect(named).toEqual([
    ...[
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/worksheets/_rels/sheet1.xml.rels',
    ],
  ])
  // Excel counts no revisions.
  expect(readXml(first, 'docProps/core.xml').toString()).not.toContain('revision')
})

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A workbook of two sheets, which opens with the second: that has this content. */
const uploaded = (sheet: string, more: readonly ZipEntry[] = [], type = `${EXCEL}.sheet.main+xml`): Buffer =>
  writeZip([
    zipEntry(
      '_rels/.rels',
      `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    zipEntry(
      'xl/workbook.xml',
      `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><bookViews><workbookView activeTab="1"/></bookViews>` +
        '<sheets><sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>',
    ),
    zipEntry(
      'xl/_rels/workbook.xml.rels',
      '<Relationships>' +
        ['sheet1', 'sheet2']
          .map(
            (it, n) =>
              `<Relationship Id="rId${n + 1}" Type="${OFFICE}/worksheet" Target="worksheets/${it}.xml"/>`,
          )
          .join('') +
        '</Relationships>',
    ),
    zipEntry('xl/worksheets/sheet1.xml', `<worksheet xmlns="${SHEET}"><sheetData/></worksheet>`),
    zipEntry('xl/worksheets/sheet2.xml', sheet),
    ...more,
    zipEntry(
      '[Content_Types].xml',
      `<Types><Default Extension="xml" ContentType="x"/><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`,
    ),
  ])
const doc = { fileId: 'f', filename: 'Plan.xlsx', contentType: '', size: 1 }
const plant = (bytes: Uint8Array) =>
  forgeFile(forge, { address: addressOf('abc'), settings: { doc }, uploads: { doc: bytes } })
const link =
  /<Relationship Id="rId1" Type="[^"]*\/image" Target="http:\/\/t.example\/[^"]*" TargetMode="External"\/>/

it('plants in the sheet that an upload opens with, in the order of its elements, and leaves the rest', async () => {
  const cells = '<sheetData><row r="1"/></sheetData><pageMargins/>'
  const behind = [
    '',
    '<tableParts count="1"/>',
    '<legacyDrawing r:id="rId9"/><tableParts/>',
    '<mc:AlternateContent><controls/></mc:AlternateContent>',
  ]
  for (const more of behind) {
    const given = uploaded(`<worksheet xmlns="${SHEET}">${cells}${more}</worksheet>`)
    const { filename, contentType, bytes } = await plant(given)
    expect([filename, contentType]).toEqual(['Plan.xlsx', `${EXCEL}.sheet`])
    const parts = await readParts(bytes)
    const text = (name: string): string => readXml(parts, name).toString()
    expect(text('xl/worksheets/sheet2.xml')).toBe(
      `<worksheet xmlns="${SHEET}">${cells}<drawing xmlns:r="${OFFICE}" r:id="rId1"/>${more}</worksheet>`,
    )
    expect(text('xl/worksheets/_rels/sheet2.xml.rels')).toContain('Target="/xl/drawings/drawing1.xml"/>')
    expect(text('xl/drawings/drawing1.xml')).toMatch(/<a:blip [^>]*r:link="rId1"\/>/)
    expect(text('xl/drawings/_rels/drawing1.xml.rels')).toMatch(link)
    expect(text('[Content_Types].xml')).toContain(
      '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>',
    )
    expect((await plant(given)).bytes).toEqual(bytes)
    const names = ['xl/workbook.xml', 'xl/worksheets/sheet1.xml']
    const before = await readParts(given)
    for (const name of names)
      expect(parts.find((it) => it.name === name)?.crc).toBe(before.find((it) => it.name === name)?.crc)
  }
})

it('plants next to the pictures that a sheet has already', async () => {
  const first = await plant(uploaded(`<x:worksheet xmlns:x="${SHEET}"><x:sheetData/></x:worksheet>`))
  const parts = await readParts((await plant(first.bytes)).bytes)
  expect(
    readXml(parts, 'xl/drawings/drawing1.xml')
      .toString()
      .match(/<xdr:pic>/g),
  ).toHaveLength(2)
  expect(
    readXml(parts, 'xl/worksheets/sheet2.xml')
      .toString()
      .match(/<x:drawing /g),
  ).toHaveLength(1)
  expect(parts.filter(({ name }) => name.startsWith('xl/drawings/drawing'))).toHaveLength(1)
})

it('takes templates, workbooks with macros, which stay, and Strict Open XML', async () => {
  const sheet = `<worksheet xmlns="${SHEET}"><sheetData/></worksheet>`
  const macros = zipEntry('xl/vbaProject.bin', 'macros')
  for (const [mainPart, file] of [
    [`${EXCEL}.template.main+xml`, `${EXCEL}.template`],
    [
      'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
      'application/vnd.ms-excel.sheet.macroEnabled.12',
    ],
    [
      'application/vnd.ms-excel.template.macroEnabled.main+xml',
      'application/vnd.ms-excel.template.macroEnabled.12',
    ],
  ] as const) {
    const { contentType, bytes } = await plant(uploaded(sheet, [macros], mainPart))
    expect(contentType).toBe(file)
    expect((await readParts(bytes)).find(({ name }) => name === macros.name)?.crc).toBe(macros.crc)
  }
  const strict = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
  const { bytes } = await plant(uploaded(sheet.replace(SHEET, strict)))
  expect(readXml(await readParts(bytes), 'xl/drawings/drawing1.xml').toString()).toContain(
    'xmlns:xdr="http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing"',
  )
})

it('a file that is no workbook, or has no sheet with cells, is refused by name', async () => {
  const wrong: [reason: string, bytes: Buffer][] = [
    [
      'must be a document of the format xlsx, xlsm, xltx, xltm, not one of the content type application/docx',
      uploaded('', [], 'application/docx'),
    ],
    ['must be a workbook whose xl/worksheets/sheet2.xml is a sheet of Excel', uploaded('<chartsheet/>')],
  ]
  for (const [reason, bytes] of wrong)
    await expect(plant(bytes), reason).rejects.toMatchObject({ code: 'bad-input', details: { doc: reason } })
})

it('plants the URL; any request fires', () => {
  expect(sheet.renders(addressOf('abc'), {})).toEqual({ url })
  expect(sheet.on.http?.judge).toBeUndefined()
})
