import { expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { readParts, readXml } from '../../office/package.ts'
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

it('plants the URL; any request fires', () => {
  expect(sheet.renders(addressOf('abc'), {})).toEqual({ url })
  expect(sheet.on.http?.judge).toBeUndefined()
})
