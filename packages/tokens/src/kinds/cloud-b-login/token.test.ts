import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { readSettings } from '../../settings.ts'
import login from './token.ts'

const visit = (referer: string): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path: '/a/abc/x.gif',
  headers: { Referer: referer },
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const verdict = (host: string, given = {}) =>
  login.on.http?.judge?.(visit(`https://${host}/`), readSettings(login.descriptor, given), 0)

describe('the cloud-b-login kind', () => {
  it('plants one rule with the URL', () => {
    const address = { tokenId: 'abc', url: 'http://t.example/a/abc/x.gif', hostname: 'abc.t.example' }
    expect(login.renders(address, {})).toEqual({
      css: `body{background:url('http://t.example/a/abc/x.gif')!important}`,
    })
  })

  it('is installed by its provider where that is wanted', () => {
    const needs = (given: Readonly<Record<string, unknown>>) =>
      login.needsProvider?.(readSettings(login.descriptor, given))
    expect([needs({}), needs({ cloud_b_install: true })]).toEqual([false, true])
  })

  it('sites of the provider raise nothing', () => {
    for (const host of [
      'login.microsoftonline.com',
      'login.microsoft.com',
      'www.office.com',
      'login.windows.net',
    ])
      expect(verdict(host), host).toBe('nothing')
  })

  it('any other site fires, however alike', () => {
    for (const host of ['evilmicrosoftonline.com', 'login.microsoftonline.com.evil.net', 'microsoft.com'])
      expect(verdict(host), host).toBe('fire')
  })

  it('shows the fingerprint of the visitor by HTTPS', () => {
    const secure: HttpVisit = { ...visit('https://evil.example/'), isSecure: true, ja4: 't13d' }
    const settings = readSettings(login.descriptor, {})
    expect(login.on.http?.describe?.(secure, settings, 0)).toMatchObject({ ja4: 't13d' })
  })

  it('the site of a tenant with a login domain of its own is the expected one', () => {
    expect(verdict('login.example.com', { expected_referrer: 'example.com' })).toBe('nothing')
  })
})
