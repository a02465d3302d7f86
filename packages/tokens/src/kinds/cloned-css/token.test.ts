import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../../channels/http/visit.ts'
import css from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/a/abc/x.gif', hostname: 'abc.t.example' }
const visit = (referer?: string): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path: '/a/abc/x.gif',
  headers: { 'User-Agent': 'Mozilla/5.0', ...(referer !== undefined && { Referer: referer }) },
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const { judge, describe: describeVisit } = css.on.http ?? {}
const expected = { expected_referrer: 'example.com' }

describe('the cloned-css kind', () => {
  it('plants one rule with the URL', () => {
    expect(css.renders(address, {})).toEqual({
      css: `body{background:url('http://t.example/a/abc/x.gif')!important}`,
    })
  })

  it('the real site and hosts below it raise nothing', () => {
    for (const host of ['example.com', 'www.example.com', 'EXAMPLE.com:8443', 'example.com.'])
      expect(judge?.(visit(`https://${host}/`), expected, 0), host).toBe('nothing')
  })

  it('another site fires, however alike', () => {
    for (const host of [
      'evilexample.com',
      'example.com.evil.net',
      'example.org',
      '192.0.2.1',
      '[2001:db8::1]:81',
    ])
      expect(judge?.(visit(`https://${host}/`), expected, 0), host).toBe('fire')
  })

  it('a missing or unreadable Referer is quiet', () => {
    for (const referer of [undefined, '', 'example.org', 'about:blank'])
      expect(judge?.(visit(referer), expected, 0), referer).toBe('quiet')
  })

  it('every site fires where none is expected', () => {
    expect(judge?.(visit('https://example.com/'), {}, 0)).toBe('fire')
    expect(describeVisit?.(visit('https://example.com/'), {}, 0)).not.toHaveProperty('expected_referrer')
  })

  it('shows the site of the copy', () => {
    expect(describeVisit?.(visit('https://Evil.example:8443/'), expected, 0)).toEqual({
      referer: 'https://Evil.example:8443/',
      referer_host: 'evil.example',
      useragent: 'Mozilla/5.0',
      expected_referrer: 'example.com',
    })
  })
})
