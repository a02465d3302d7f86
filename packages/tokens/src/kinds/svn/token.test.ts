import { describe, expect, it } from 'vitest'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import svn from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example:8081/a/abc/x.gif', hostname: 'abc.t.example' }

const asked = (method: string, path = '/', host = 'abc.t.example'): HttpVisit => ({
  channel: 'http',
  method,
  path,
  headers: { Host: host, 'User-Agent': 'SVN/1.14.2' },
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const answerTo = (visit: HttpVisit): HttpAnswer | undefined => svn.on.http?.answer?.(visit, {})

describe('the svn kind', () => {
  it('plants a command that sets an external at the port of the token host', () => {
    expect(svn.renders(address, {})).toEqual({
      repository: 'http://abc.t.example:8081/',
      command: 'svn propset svn:externals "extras http://abc.t.example:8081/" .',
    })
    const at80 = svn.renders({ ...address, url: 'https://t.example/abc/x' }, {})
    expect(at80['repository']).toBe('https://abc.t.example/')
  })

  it('shows the method and the client', () => {
    expect(svn.on.http?.describe?.(asked('OPTIONS'), {}, 0)).toEqual({
      method: 'OPTIONS',
      useragent: 'SVN/1.14.2',
    })
  })

  it('is an empty repository, the same at each look and another for another token', () => {
    const uuid = (host: string): string | undefined =>
      answerTo(asked('OPTIONS', '/', host))?.headers['SVN-Repository-UUID']
    expect(uuid('abc.t.example')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(uuid('ABC.t.example')).toBe(uuid('abc.t.example'))
    expect(uuid('def.t.example')).not.toBe(uuid('abc.t.example'))
    expect(answerTo(asked('PROPFIND', '/!svn/rvr/1'))).toMatchObject({ status: 207 })
    expect(String(answerTo(asked('REPORT', '/!svn/me'))?.body)).toContain('svn:entry:committed-rev')
    expect(String(answerTo(asked('REPORT', '/!svn/rvr/1'))?.body)).toContain('log-report')
  })

  it('was last changed at another time by another token, which no scan can look for', () => {
    const committed = (host: string): string =>
      /committed-date">[^<]+/.exec(String(answerTo(asked('REPORT', '/!svn/me', host))?.body))?.[0] ?? ''
    const hosts = Array.from({ length: 8 }, (_, n) => `${n}.t.example`)
    expect(committed('0.t.example')).toMatch(/>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(new Set(hosts.map(committed)).size).toBe(hosts.length)
    expect(committed('0.T.example:8081')).toBe(committed('0.t.example'))
  })

  it('writes a path of a stranger as text', () => {
    const body = String(answerTo(asked('PROPFIND', '/<a>&"'))?.body)
    expect(body).toContain('<D:href>/&#60;a&#62;&#38;&#34;/</D:href>')
  })

  it('gives nothing away to what is no Subversion client', () => {
    expect(answerTo(asked('GET'))).toMatchObject({ headers: { 'Content-Type': 'image/gif' } })
  })
})
