import { inflateRawSync, crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { deriveFrom } from '../../../../../test/session-context.ts'
import { fileContent, type FileContent } from './content/content.ts'
import { officeTree } from './office-tree.ts'
import { lookUp, shareTree, type TreeNode } from './tree.ts'
import { treeExpectation } from '../../../../settings/tree-value.ts'

const derive = deriveFrom('bird-1')
const all = (node: TreeNode): TreeNode[] =>
  node.type === 'file' ? [node] : [node, ...node.children.flatMap(all)]
const read = (file: FileContent, offset: number, length: number): Buffer => {
  const content = file.read(offset, length)
  const bytes = Buffer.alloc(content.length)
  content.copy(bytes, 0)
  return bytes
}
const bytesOf = (name: string, size: number, from = derive): Buffer =>
  read(fileContent({ name, path: name, size, modifiedAt: Date.UTC(2026, 2, 31) }, from), 0, size)

it('a Bird without files of its own shows an office: the same one always, another one on another Bird', () => {
  const names = (seed: string): string => JSON.stringify(officeTree(deriveFrom(seed)))
  expect(names('bird-1')).toBe(names('bird-1'))
  expect(names('bird-1')).not.toBe(names('bird-2'))
  for (let i = 0; i < 50; i += 1) expect(treeExpectation(officeTree(deriveFrom(`seed ${i}`)))).toBeUndefined()
})

it('each node keeps id, dates and size when others come and go', () => {
  const budget = { name: 'Budget.xlsx', type: 'file' } as const
  const before = lookUp(shareTree([budget], derive), 'Budget.xlsx')
  const after = lookUp(shareTree([{ name: 'A.txt', type: 'file' }, budget], derive), 'budget.XLSX')
  expect(after).toEqual(before)
})

it('no two nodes of 8,192 have one id, and such a tree is made within two seconds', () => {
  const files = Array.from({ length: 8_190 }, (_, i) => ({ name: `file ${i}.docx`, type: 'file' as const }))
  const elapsedMs = processorTimer()
  const nodes = all(shareTree([{ name: 'many', type: 'directory', children: files }], derive))
  expect(elapsedMs()).toBeLessThan(2_000)
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(8_192)
})

it('dates and sizes of the settings are kept; others are plausible', () => {
  const root = shareTree(
    [
      { name: 'a.pdf', type: 'file', size: 5, modified: '2025-02-03T04:05:06Z' },
      { name: 'b.pdf', type: 'file' },
    ],
    derive,
  )
  const [a, b] = root.children
  expect([a?.size, a?.modifiedAt]).toEqual([5, Date.UTC(2025, 1, 3, 4, 5, 6)])
  expect(b?.size).toBeGreaterThan(10_000)
  for (const { times } of [a!, b!]) {
    expect(times.createdAt).toBeLessThanOrEqual(times.writtenAt)
    // A file that was written today was read by nobody tomorrow.
    expect(times.accessedAt).toBe(times.writtenAt)
  }
})

it('a folder is older than its files, and was written to when the newest of them came', () => {
  for (let i = 0; i < 20; i += 1) {
    const seed = deriveFrom(`seed ${i}`)
    for (const node of all(shareTree(officeTree(seed), seed))) {
      if (node.type === 'file') continue
      const created = node.children.map(({ times }) => times.createdAt)
      expect(created.every((each) => each >= node.times.createdAt && each <= node.times.writtenAt)).toBe(true)
    }
  }
})

it.each(['a.docx', 'a.xlsx', 'a.pdf', 'a.zip', 'a.txt', 'a.log', 'a.csv', 'a.mp4', 'a', 'a.sql', 'a.json'])(
  'any part of %s is the part of the whole, at every size',
  (name) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60_000 }),
        fc.nat(70_000),
        fc.nat(5_000),
        (size, offset, length) => {
          const content = fileContent({ name, path: name, size, modifiedAt: 0 }, derive)
          const whole = read(content, 0, size)
          expect(whole.length).toBe(size)
          expect(read(content, offset, length)).toEqual(whole.subarray(offset, offset + length))
        },
      ),
      { numRuns: 30 },
    )
  },
)

it('a file of 30 GB is read at its end without its beginning', () => {
  const size = 30_000_000_000
  const content = fileContent({ name: 'server.vhdx', path: 'server.vhdx', size, modifiedAt: 0 }, derive)
  expect(read(content, size - 100, 4_096).length).toBe(100)
  expect(read(content, 0, 8).toString('latin1')).toBe('vhdxfile')
})

it('another Bird has other bytes in the same file', () => {
  expect(bytesOf('a.docx', 30_000)).not.toEqual(bytesOf('a.docx', 30_000, deriveFrom('bird-2')))
})

/** The entries of an archive, by its central directory; checks lengths and sums. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50)
  const entries = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50)
    const start = local + 30 + bytes.readUInt16LE(local + 26)
    const content = inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)))
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16))
    expect(content.length).toBe(bytes.readUInt32LE(at + 24))
    entries.set(name, content.toString())
    at += 46 + nameLength
  }
  return entries
}

it.each([0, 2_500, 20_000, 3_000_000])(
  'a document of %i bytes opens, if it is long enough for one',
  (size) => {
    const least = 2_400
    if (size < least) return void expect(bytesOf('a.docx', size).length).toBe(size)
    const entries = unzip(bytesOf('a.docx', size))
    expect([...entries.keys()]).toEqual(['[Content_Types].xml', '_rels/.rels', 'word/document.xml'])
    expect(entries.get('word/document.xml')).toMatch(/<w:document [^]*<w:t xml:space="preserve">a<\/w:t>/)
  },
)

it('a workbook has a sheet of amounts, a zip a text', () => {
  expect([...unzip(bytesOf('a.xlsx', 30_000)).keys()]).toContain('xl/worksheets/sheet1.xml')
  expect([...unzip(bytesOf('Reports.zip', 30_000)).keys()]).toEqual(['Reports.txt'])
})

it.each([4_000, 99_990, 100_010, 2_000_000])(
  'a PDF of %i bytes has its objects where its table says',
  (size) => {
    const bytes = bytesOf('a.pdf', size)
    const text = bytes.toString('latin1')
    const table = Number(/startxref\n(\d+)\n%%EOF\n+$/.exec(text)?.[1])
    expect(text.slice(table, table + 5)).toBe('xref\n')
    const offsets = [...text.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at))
    expect(offsets.length).toBe(6)
    for (const [i, at] of offsets.entries()) expect(text.slice(at, at + 7)).toBe(`${i + 1} 0 obj`)
    const [, length] = /6 0 obj\n<< \/Length (\d+) >>\nstream\n/.exec(text) ?? []
    const start = text.indexOf('stream\n', offsets[5]) + 7
    expect(text.slice(start + Number(length), start + Number(length) + 10)).toBe('\nendstream')
  },
)
