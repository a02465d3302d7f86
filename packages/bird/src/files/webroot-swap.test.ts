import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { finishSwap } from './folder-swap.ts'
import { replaceWebroot } from './webroot-swap.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rookery-webroot-'))
  const made = directory
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

const zip = (files: Readonly<Record<string, string>>): Buffer =>
  writeZip(Object.entries(files).map(([name, text]) => zipEntry(name, text)))
const page = (path = 'index.html'): string => readFileSync(join(directory, 'webroot', path), 'utf8')
const old = (folder: string): void => {
  mkdirSync(join(directory, folder))
  writeFileSync(join(directory, folder, 'index.html'), 'old')
}

it('the pages of the zip take the place of the old ones, and nothing else is left', async () => {
  old('webroot')
  await replaceWebroot(directory, zip({ 'index.html': 'new', 'css/': '', 'css/a/site.css': 'x' }))
  expect([page(), page('css/a/site.css')]).toEqual(['new', 'x'])
  expect(readdirSync(directory)).toEqual(['webroot'])
  await replaceWebroot(directory, zip({ 'other.html': 'newer' }))
  expect(readdirSync(join(directory, 'webroot'))).toEqual(['other.html'])
})

it.each([
  [
    'one bad name among good ones',
    () => zip({ 'index.html': 'new', '../../evil': 'x' }),
    '"../../evil" has an empty part',
  ],
  ['no zip', () => Buffer.from('<html>'), 'must be a ZIP archive that is whole'],
  ['no file', () => zip({ 'css/': '' }), 'at least one file'],
  [
    '2,001 files',
    () => zip(Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`${n}`, '']))),
    'at most 2000 files, not 2001',
  ],
  [
    '17 MiB',
    () => writeZip([zipEntry('a', Buffer.alloc(17 * 1024 * 1024))]),
    'at most 16777216 bytes once unpacked',
  ],
  ['a bomb', () => writeZip([zipEntry('a', Buffer.alloc(9_000_000))]), 'compressed at most 100 times'],
  [
    'a wrong sum',
    () => writeZip([zipEntry('a', 'x'), { ...zipEntry('b', 'text'), crc: 1 }]),
    'whose b has the size and the checksum',
  ],
])('%s: the old pages stay, and the reason says why', async (_, bytes, reason) => {
  old('webroot')
  await expect(replaceWebroot(directory, bytes())).rejects.toThrow(reason)
  expect(page()).toBe('old')
  expect(readdirSync(directory)).toEqual(['webroot'])
  expect(existsSync(join(directory, '..', 'evil'))).toBe(false)
})

it('a Bird that stopped at any moment of the swap has the old pages or the new ones, whole', () => {
  const at = (name: string): string => join(directory, name)
  old('webroot')
  mkdirSync(at('webroot.new'))
  writeFileSync(join(at('webroot.new'), 'half.html'), 'ha')
  finishSwap(directory, 'webroot')
  expect([page(), readdirSync(directory)]).toEqual(['old', ['webroot']])

  mkdirSync(at('webroot.new'))
  writeFileSync(join(at('webroot.new'), 'index.html'), 'new')
  renameSync(at('webroot'), at('webroot.old'))
  finishSwap(directory, 'webroot')
  expect([page(), readdirSync(directory)]).toEqual(['new', ['webroot']])

  old('webroot.old')
  finishSwap(directory, 'webroot')
  expect([page(), readdirSync(directory)]).toEqual(['new', ['webroot']])
})

it('a first upload that was cut short leaves nothing', () => {
  mkdirSync(join(directory, 'webroot.new'))
  finishSwap(directory, 'webroot')
  expect(readdirSync(directory)).toEqual([])
})
