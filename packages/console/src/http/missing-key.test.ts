import { expect, it } from 'vitest'
import { openTestConsole } from '../../test/test-console.ts'

it('a call without a key says something else than one with a wrong key, and a factory asks for factory_auth', async () => {
  const rookery = await openTestConsole()
  const said = async (path: string, key: string | null, params: Record<string, string> = {}) => {
    const { status, json } = await rookery.call('POST', path, params, key)
    expect([status, json['message']]).toEqual([401, 'Invalid auth_token'])
    return json['details']
  }
  const none =
    'is missing: send an API key, as auth_token or in the header X-Auth-Token or Authorization: Bearer'
  const wrong = 'is no key of this console: it is mistyped, was removed, or has expired'
  expect(await said('/flock/note/add', null)).toEqual({ auth_token: none })
  expect(await said('/flock/note/add', 'f'.repeat(32))).toEqual({ auth_token: wrong })
  const token = { kind: 'http', memo: 'm' }
  const noFactory = { factory_auth: 'is missing: send the key of a factory, as factory_auth' }
  expect(await said('/decoytoken/factory/create', null, token)).toEqual(noFactory)
  expect(await said('/decoytoken/factory/create', null, { ...token, factory_auth: 'f'.repeat(32) })).toEqual({
    factory_auth: wrong,
  })
})
