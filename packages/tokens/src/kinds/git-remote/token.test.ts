import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { deriver } from '../../derive.ts'
import { amendmentOf, describeVisit } from '../../token.ts'
import { deployUserOf } from './deploy-user.ts'
import forge from './forge.ts'
import gitRemote from './token.ts'

const derive = deriver('git-remote', Buffer.alloc(32, 7))
const visited = { tokenId: 'abc', createdAt: 0, derive }
const settings = { git_repository: 'infrastructure' }
const { username, password } = deployUserOf(derive)

const asked = (user?: string): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path: '/img/abc/infrastructure.git/info/refs?service=git-upload-pack',
  headers: {
    'User-Agent': 'git/2.39.5',
    ...(user !== undefined && { Authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
  },
  srcHost: '192.0.2.7',
  dstPort: 80,
})

describe('the git-remote kind', () => {
  it('plants a configuration as git writes it, and the address alone', async () => {
    const { filename, bytes } = await forgeFile(forge, { settings })
    expect(filename).toBe('config')
    expect(Buffer.from(bytes).toString()).toMatch(
      /^\[remote "origin"\]\n\turl = http:\/\/[a-z-]+:[A-Za-z0-9]{24}@t\.example\/img\/abc\/infrastructure\.git$/m,
    )
    const address = { tokenId: 'abc', url: 'http://t.example:8081/img/abc/x', hostname: 'abc.t.example' }
    expect(gitRemote.renders(address, settings)).toEqual({
      url: 'http://t.example:8081/img/abc/infrastructure.git',
      command: 'git remote add mirror http://t.example:8081/img/abc/infrastructure.git',
    })
  })

  it('shows what git wants, and then who it says it is', () => {
    expect(describeVisit(gitRemote, asked(), settings, 0, visited)).toEqual({
      method: 'GET',
      request: '/infrastructure.git/info/refs',
      service: 'git-upload-pack',
      useragent: 'git/2.39.5',
    })
    const amended = (user?: string) => amendmentOf(gitRemote, asked(user), settings, visited)
    expect(amended()).toBeUndefined()
    expect(amended(`${username}:${password}`)).toEqual({ username, key_used: true })
    expect(amended(`${username}:other`)).toEqual({ username, key_used: false })
    expect(amended(':')).toEqual({ username: '', key_used: false })
  })

  it('asks everybody for another login', () => {
    const answer = gitRemote.on.http?.answer?.(asked(`${username}:${password}`), settings, visited)
    expect(answer).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="Git"' } })
  })
})
