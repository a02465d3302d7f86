import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
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
/** What no URL has: browsers read some of it as another character. */
const CONTROL = /[\p{Cc}\p{Cs}\\]/gu

/** The text of the rule's address, as a browser reads it (CSS Syntax Module Level 3, 4.3.5 and 4.3.7). */
function readAddress(rule: string): string | undefined {
  const [, , text] =
    /^body\{background:url\((['"])((?:\\[\s\S]|(?!\1)[^\\\n<>])*)\1\)!important\}$/.exec(rule) ?? []
  return text?.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, character?: string) =>
    hex === undefined ? (character ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
  )
}

const expected = { expected_referrer: 'example.com' }

describe('the cloned-css kind', () => {
  it('plants one rule, in which browsers read the URL', () => {
    for (const tokenId of ['abc', 'abd', 'abe', 'x'.repeat(25)]) {
      const url = `https://t.example/a/${tokenId}/x.gif`
      const planted = css.renders({ ...address, tokenId, url }, {})
      expect(readAddress(planted['css'] ?? ''), planted['css']).toBe(url)
      expect(css.renders({ ...address, tokenId, url }, {})).toEqual(planted)
    }
  })

  it('is spelled another way for each token, and nothing in its URL ends the rule', () => {
    const spelled = (tokenId: string, url = address.url) =>
      css.renders({ ...address, tokenId, url }, {})['css']
    const rules = Array.from({ length: 50 }, (_, n) => spelled(`token${n}`))
    expect(new Set(rules).size).toBe(50)
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (url, tokenId) => {
        expect(readAddress(spelled(tokenId, url.replaceAll(CONTROL, '')) ?? '')).toBe(
          url.replaceAll(CONTROL, ''),
        )
      }),
    )
  })

  it('warns where every site fires', () => {
    expect(css.creationWarning?.({})).toContain('expected_referrer')
    expect(css.creationWarning?.(expected)).toBeUndefined()
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

  it('shows the fingerprint of the visitor by HTTPS, where there is one', () => {
    const ja4 = 't13d1516h2_8daaf6152771_e5627efa2ab1'
    const secure: HttpVisit = { ...visit('https://evil.example/'), isSecure: true, ja4 }
    expect(describeVisit?.(secure, expected, 0)).toMatchObject({ ja4 })
    expect(describeVisit?.(visit('https://evil.example/'), expected, 0)).not.toHaveProperty('ja4')
  })
})
