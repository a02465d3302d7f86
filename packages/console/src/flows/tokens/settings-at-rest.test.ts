import { expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { openVault } from '../../secrets/vault.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { changeToken } from '../../stores/tokens/store.ts'
import { systemRandom } from '../../world/system.ts'
import { tokenCreator } from './create.ts'
import { openIssued, sealIssued } from './issued-at-rest.ts'
import { rekeyTokens } from './rekey.ts'
import { openSettings, rendersColumn, sealSettings } from './settings-at-rest.ts'

const described: TokenDescriptor['settings'] = {
  secret_key: { type: 'text', description: 'Key of the account', sealed: true },
  region: { type: 'text', description: 'Where the account is' },
}
const origin = {
  url: 'http://t.example',
  httpsUrl: undefined,
  domain: 't.example',
  mysql: '',
  postgres: '',
}
const vault = openVault(systemRandom.bytes(32), systemRandom)
const rowOf = (token_id: string, settings: string) => ({ token_id, kind: 'none', settings })

it('a secret among the settings is sealed in its row, and nothing else is', () => {
  const settings = { secret_key: 's3cret', region: 'eu' }
  const column = sealSettings(vault, 'abc', settings, described)
  expect(column).not.toContain('s3cret')
  expect(JSON.parse(column)).toEqual({ secret_key: expect.stringMatching(/^v1:/) as string, region: 'eu' })
  expect(openSettings(vault, rowOf('abc', column), described)).toEqual(settings)
})

it('a secret that was copied into the row of another token does not open', () => {
  const column = sealSettings(vault, 'abc', { secret_key: 's3cret' }, described)
  expect(() => openSettings(vault, rowOf('xyz', column), described)).toThrow('altered or moved')
})

it('a secret that was not given is left out', () => {
  const column = sealSettings(vault, 'abc', { region: 'eu' }, described)
  expect(openSettings(vault, rowOf('abc', column), described)).toEqual({ region: 'eu' })
})

it('texts to plant are not stored where they may hold a secret', () => {
  expect(rendersColumn({ key: 'k3y' }, {}, 'v1:sealed')).toBe('')
  expect(rendersColumn({ profile: 's3cret' }, described)).toBe('')
  expect(rendersColumn({ url: 'http://t.example' }, {})).toBe('{"url":"http://t.example"}')
})

it.each(engines)('another master key seals the secrets of all tokens anew (%s)', async (engine) => {
  const { console } = await openTestConsole({ engine })
  const { reader, writer, world } = console.base
  const none = () => Promise.reject(new Error('none'))
  const provisioner = { check: none, provision: none, abandon: none }
  const { create } = tokenCreator(
    {
      ...console.base,
      provisioner,
      forgeFile: none,
      warmForge: () => undefined,
      storeUploads: none,
      ownHosts: { has: () => false },
    },
    origin,
  )
  const trail = () => systemEntry(world.clock, 'local', 'test', 'Test', {})
  const { row } = await create({
    kind: 'http',
    memo: 'm',
    flockId: 'flock:default',
    care: {},
    given: {},
    createdBy: '',
    factoryKeyId: '',
    trail,
  })
  const settings = { secret_key: 's3cret', region: 'eu' }
  const to = openVault(systemRandom.bytes(32), systemRandom)
  await writer.write(async (tx) => {
    const sealed = sealSettings(vault, row.token_id, settings, described)
    const issued = sealIssued(vault, row.token_id, { api_key: 'k3y' })
    await changeToken(tx.query, row.token_id, { settings: sealed, issued })
    await rekeyTokens(tx, vault, to, [{ kind: 'http', settings: described }])
  })
  const stored = await reader.selectFrom('token').selectAll().executeTakeFirstOrThrow()
  expect(openSettings(to, stored, described)).toEqual(settings)
  expect(openIssued(to, stored)).toEqual({ api_key: 'k3y' })
  expect(() => openSettings(vault, stored, described)).toThrow('was sealed under master key')
})
