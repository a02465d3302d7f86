import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeSecretFile } from './write-secret-file.ts'
import { ownFolder } from '../../test/own-folder.ts'

it('a secret file is for its owner alone, and nothing else is left in the folder', () => {
  const folder = ownFolder()
  const path = join(folder, 'master.key')
  writeFileSync(`${path}.draft`, 'of a start that was killed')
  chmodSync(`${path}.draft`, 0o644)
  writeSecretFile(path, 'secret\n')
  expect(readFileSync(path, 'utf8')).toBe('secret\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['master.key'])
})

it('a secret file is replaced only on request', () => {
  const folder = ownFolder()
  const path = join(folder, 'admin.key')
  writeSecretFile(path, 'first')
  expect(() => writeSecretFile(path, 'second')).toThrow(/EEXIST/)
  expect(readFileSync(path, 'utf8')).toBe('first')
  writeSecretFile(path, 'third', true)
  expect(readFileSync(path, 'utf8')).toBe('third')
  expect(readdirSync(folder)).toEqual(['admin.key'])
})
