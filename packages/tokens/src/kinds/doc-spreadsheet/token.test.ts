import { expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import { readParts, readXml } from '../../office/package.ts'
import forge from './forge.ts'
import sheet from './token.ts'

const url = 'http://t.example/img/abc/pixel.gif?a=1&b=2'
const addressOf = (tokenId: string) => ({ tokenId, url, hostname: `${tokenId}.t.example` })

it('makes a workbook with accounts, and a picture far from them', async () => {
  const { filename, bytes } = await forgeFile(forge, { address: addressOf('abc') })
  expect(filename).toMatch(/^[A-Za-z ]+\.xlsx$/)
  const parts = await readParts(bytes)
  const cells = readXml(parts, 'xl/worksheets/sheet1.xml').toString()
  expect(cells.match(/<row /g)?.length).toBeGreaterThan(12)
  expect(cells).toContain('<c r="E1" s="1" t="inlineStr"><is><t>Password</t></is></c>')
  expect(readXml(parts, 'xl/drawings/drawing1.xml').toString()).toContain('<xdr:col>61</xdr:col>')
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

it('plants the URL; any request fires', () => {
  expect(sheet.renders(addressOf('abc'), {})).toEqual({ url })
  expect(sheet.on.http?.judge).toBeUndefined()
})
