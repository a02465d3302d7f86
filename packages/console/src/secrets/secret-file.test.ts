import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeSecretFile } from './secret-file.ts'

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('a secret file is for its owner alone, and nothing else is left in the folder', () => {
  const folder = folderOfTest()
  const path = join(folder, 'master.key')
  writeFileSync(`${path}.draft`, 'of a start that was killed')
  chmodSync(`${path}.draft`, 0o644)
  writeSecretFile(path, 'secret\n')
  expect(readFileSync(path, 'utf8')).toBe('secret\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['master.key'])
})

it('a secret file is replaced only on request', () => {
  const folder = folderOfTest()
  const path = join(folder, 'admin.key')
  writeSecretFile(path, 'first')
  expect(() => writeSecretFile(path, 'second')).toThrow(/EEXIST/)
  expect(readFileSync(path, 'utf8')).toBe('first')
  writeSecretFile(path, 'third', true)
  expect(readFileSync(path, 'utf8')).toBe('third')
  expect(readdirSync(folder)).toEqual(['admin.key'])
})
