import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDataFolder } from '../data-folder.ts'
import { systemRandom } from '../world/system.ts'
import { adoptNextKey, readMasterKeys, storeNextKey } from './master-key.ts'
import { ownFolder } from '../../test/own-folder.ts'

function openFolder() {
  const path = ownFolder()
  return { path, files: openDataFolder(path) }
}

const keysIn = ({ files }: ReturnType<typeof openFolder>) =>
  readMasterKeys(undefined, files, systemRandom).map(({ key, isNext }) => ({
    key: Buffer.from(key).toString('hex'),
    isNext,
  }))

it.each(['', 'a'.repeat(20), `${'a'.repeat(64)}\n`])(
  'a first start that was killed when it had written %j of its key does not keep the next one from making its own',
  (written) => {
    const folder = openFolder()
    writeFileSync(`${folder.files.masterKey}.draft`, written)
    const [made, ...others] = keysIn(folder)
    expect(others).toEqual([])
    expect(made).toEqual({ key: expect.stringMatching(/^[0-9a-f]{64}$/), isNext: false })
    expect(made?.key).not.toBe('a'.repeat(64))
    expect(readdirSync(folder.path)).toEqual(['master.key'])
    expect(keysIn(folder)).toEqual([made])
  },
)

it('while a key is replaced there are two; the next one becomes the key, and the old one is kept', () => {
  const folder = openFolder()
  const [first] = keysIn(folder)
  const next = 'b'.repeat(64)
  storeNextKey(folder.files, Buffer.from(next, 'hex'))
  expect(keysIn(folder)).toEqual([first, { key: next, isNext: true }])
  adoptNextKey(folder.files)
  adoptNextKey(folder.files)
  expect(keysIn(folder)).toEqual([{ key: next, isNext: false }])
  expect(readFileSync(folder.files.oldMasterKey, 'utf8').trim()).toBe(first?.key)
})
