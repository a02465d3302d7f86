import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { deriver } from '../../derive.ts'
import { describeVisit } from '../../token.ts'
import forge from './forge.ts'
import { registryToken } from './registry-token.ts'
import npmrc from './token.ts'

const derive = deriver('npmrc', Buffer.alloc(32, 7))
const visited = { tokenId: 'abc', createdAt: 0, derive }

const asked = (path: string, headers: Record<string, string> = {}): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path,
  headers: { 'User-Agent': 'npm/11.6.2 node/v24.11.0 linux x64', ...headers },
  srcHost: '192.0.2.7',
  dstPort: 80,
})

describe('the npmrc kind', () => {
  it('plants a registry and its token, for one scope or for all packages', async () => {
    const text = async (settings: { npm_scope?: string }) =>
      Buffer.from((await forgeFile(forge, { settings })).bytes).toString()
    expect(await text({})).toMatch(
      /^registry=http:\/\/t\.example\/img\/abc\/\n\/\/t\.example\/img\/abc\/:_authToken=npm_[0-9A-Za-z]{36}\n$/,
    )
    expect(await text({ npm_scope: 'corp' })).toMatch(/^@corp:registry=http:/)
    expect(await text({})).toBe(await text({}))
  })

  it('has a token whose checksum is right', () => {
    const [, random = '', checksum = ''] = /^npm_(.{30})(.{6})$/.exec(registryToken(derive)) ?? []
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const value = [...checksum].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(value).toBe(crc32(random))
  })

  it('shows the command, what it asks for, and whether it has the token', () => {
    const headers = { Authorization: `Bearer ${registryToken(derive)}`, 'Npm-Command': 'whoami' }
    expect(describeVisit(npmrc, asked('/img/abc/-/whoami', headers), {}, 0, visited)).toEqual({
      method: 'GET',
      request: '/-/whoami',
      command: 'whoami',
      key_used: true,
      useragent: 'npm/11.6.2 node/v24.11.0 linux x64',
    })
    const other = asked('/img/abc/left-pad', { Authorization: 'Bearer npm_x' })
    expect(describeVisit(npmrc, other, {}, 0, visited)).toMatchObject({
      request: '/left-pad',
      key_used: false,
    })
    expect(describeVisit(npmrc, other, {}, 0)).toMatchObject({ key_used: false })
  })
})
