import fc from 'fast-check'
import { join, resolve, sep } from 'node:path'
import { expect, it } from 'vitest'
import { UnusableFile } from '../unusable-file.ts'
import { zipEntry, type EntryOptions } from './entry.ts'
import { judgeTree } from './judge.ts'
import { readZip } from './read.ts'
import { writeZip } from './write.ts'

const LIMITS = { files: 2_000, nodes: 8_192, depth: 16 }
const READ = { entries: 10_000, unpackedBytes: 1_000_000, ratio: 100 }
const archive = (names: readonly string[], options: EntryOptions = {}): Buffer =>
  writeZip(names.map((name) => zipEntry(name, name.endsWith('/') ? '' : 'text', options)))
const judge = (bytes: Buffer, limits = LIMITS): void => judgeTree(readZip(bytes, READ), limits)
const UNIX = 3 << 8
const mode = (bits: number): EntryOptions => ({ madeBy: UNIX, attributes: bits * 0x1_0000 })

it('an ordinary site passes, with and without entries of its folders', () => {
  judge(archive(['index.html', 'css/', 'css/site.css', 'img/a/b/logo.png', '.well-known/x', 'Größe.html']))
  judge(archive(['index.html'], mode(0o100644)))
  judge(archive(['css/'], mode(0o040755)))
})

it.each([
  ['../x', 'has an empty part, "." or ".."'],
  ['a/../../x', 'has an empty part, "." or ".."'],
  ['a//x', 'has an empty part'],
  ['./x', 'has an empty part'],
  ['..', 'has an empty part'],
  ['/etc/passwd', 'is an absolute path'],
  ['C:/x', 'names a drive'],
  ['c:x', 'names a drive'],
  ['a\\..\\x', 'has a backslash'],
  ['a\0.html', 'has a control character'],
  ['a\nb', 'has a control character'],
  ['x'.repeat(256), 'has a name of more than 255 bytes'],
  [`${'ä'.repeat(128)}`, 'has a name of more than 255 bytes'],
  [`${'a/'.repeat(16)}x`, 'is more than 16 folders deep'],
])('%j is refused: it %s', (name, reason) => {
  expect(() => judge(archive([name]))).toThrow(reason)
})

it.each([
  ['a link', 0o120777],
  ['a device', 0o020666],
  ['a pipe', 0o010644],
  ['a socket', 0o140755],
])('%s is refused', (_, bits) => {
  expect(() => judge(archive(['x'], mode(bits)))).toThrow('"x" is a link or a device')
})

it('a name is a file or a folder, and spelled in one way', () => {
  expect(() => judge(archive(['a', 'a/b']))).toThrow('"a/b" clashes with "a"')
  expect(() => judge(archive(['A/x', 'a/y']))).toThrow('"a/y" clashes with "A/"')
  expect(() => judge(archive(['a'], mode(0o040755)))).toThrow('by its name or by its mode')
  expect(() => judge(writeZip([zipEntry('a/', 'text')]))).toThrow('"a/" is a folder with content')
})

it('a local header that contradicts the directory is refused', () => {
  for (const [at, byte] of [
    [30, 0x62], // the name
    [8, 0], // the method
    [6, 2], // the flags
    [14, 1], // the checksum
    [22, 9], // the size
  ] as const) {
    const bytes = archive(['a'])
    bytes[at] = byte
    expect(() => judge(bytes)).toThrow('"a" has two headers that contradict each other')
  }
})

it('sizes that follow the bytes, as streaming programs write them, are no contradiction', () => {
  const bytes = archive(['a'])
  const central = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1')
  bytes[6] = 8
  bytes[central + 8] = 8
  bytes.fill(0, 14, 26)
  judge(bytes)
})

it('twenty bad names are listed, the others counted', () => {
  const names = Array.from({ length: 25 }, (_, n) => `../${n}`)
  expect(() => judge(archive(['good', ...names]))).toThrow(
    /^must be an archive without such entries: "\.\.\/0" .*"\.\.\/19" .*, and 5 more$/,
  )
})

it('more files, or more files and folders, than the limits are refused', () => {
  expect(() => judge(archive(['a', 'b', 'c']), { ...LIMITS, files: 2 })).toThrow('at most 2 files, not 3')
  expect(() => judge(archive(['a/b/c']), { ...LIMITS, nodes: 2 })).toThrow(
    'at most 2 files and folders, not 3',
  )
})

it('whatever passes stays within the folder', () => {
  const part = fc.constantFrom('a', 'B', '..', '.', '', 'c:', '\\', '\0', ' ', '~', '%2e%2e', 'é')
  const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(name, (path) => {
      const bytes = archive([path])
      try {
        judge(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(UnusableFile)
        return
      }
      expect(resolve('/site', path).startsWith(`/site${sep}`)).toBe(true)
      expect(join('/site', path).replace(/\/$/, '')).toBe(`/site/${path}`.replace(/\/$/, ''))
    }),
    { numRuns: 2_000 },
  )
})
