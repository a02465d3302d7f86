import { expect, it } from 'vitest'
import { openVault } from '../../secrets/vault.ts'
import { systemRandom } from '../../world/system.ts'
import { credentialsOf } from './credentials.ts'

const vault = openVault(systemRandom.bytes(32), systemRandom)
const kind: Parameters<typeof credentialsOf>[2] = {
  credentials: ({ hostname }, { region }, derive) => ({
    access_key_id: `${String(region)}-${derive('id', 10).toString('hex')}`,
    secret_access_key: derive('secret', 30).toString('base64'),
    username: hostname,
  }),
}
const rowOf = (token_id: string) => ({
  token_id,
  kind: 'none',
  url: `http://t.example/${token_id}/x`,
  hostname: `${token_id}.t.example`,
  mysql: '',
  postgres: '',
  settings: '{"region":"eu"}',
  issued: '',
})

it('credentials are those of the token: the same each time, others for another token or another console', () => {
  const of = (token_id: string, under = vault) => credentialsOf(under, rowOf(token_id), kind)
  expect(of('abc')).toEqual({
    access_key_id: expect.stringMatching(/^eu-[0-9a-f]{20}$/) as string,
    secret_access_key: expect.stringMatching(/^[\w+/]{40}$/) as string,
    username: 'abc.t.example',
  })
  expect(of('abc')).toEqual(of('abc'))
  const others = [of('abd'), of('abc', openVault(systemRandom.bytes(32), systemRandom))]
  for (const other of others) {
    expect(other.access_key_id).not.toBe(of('abc').access_key_id)
    expect(other.secret_access_key).not.toBe(of('abc').secret_access_key)
  }
})

it('a kind without credentials shows none', () => {
  expect(credentialsOf(vault, { ...rowOf('abc'), kind: 'http' })).toEqual({})
  expect(credentialsOf(vault, rowOf('abc'))).toEqual({})
})
