import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../../channels/http/visit.ts'
import web from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/a/abc/x.gif', hostname: 'abc.t.example' }
const script = (tokenId = 'abc'): string =>
  web.renders({ ...address, tokenId }, { cloned_web: 'example.com' })['script'] ?? ''

/** What the script asks for on a page. */
function askedAt(href: string, referrer = ''): string | undefined {
  const images: { src?: string }[] = []
  runInNewContext(script(), {
    location: { href, hostname: new URL(href).hostname },
    document: { referrer },
    encodeURIComponent,
    Image: function (this: { src?: string }) {
      images.push(this)
    },
  })
  return images[0]?.src
}

describe('the cloned-web kind', () => {
  it('asks for nothing at home, below it, in a file', () => {
    for (const href of [
      'https://example.com/login',
      'https://www.EXAMPLE.com:8443/',
      'https://example.com./',
      'file:///tmp/login.html',
    ])
      expect(askedAt(href), href).toBeUndefined()
  })

  it('on another site it asks for the token, with the page and its referrer', () => {
    expect(askedAt('https://evilexample.com/log?a=1&b=2#c', 'https://mail.example/?x&y')).toBe(
      '//t.example/a/abc/x.gif?l=https%3A%2F%2Fevilexample.com%2Flog%3Fa%3D1%26b%3D2%23c&r=https%3A%2F%2Fmail.example%2F%3Fx%26y',
    )
    expect(askedAt('https://example.com.evil.net/')).toContain('//t.example/a/abc/x.gif?l=')
  })

  it('asks by HTTPS from any page where its address names HTTPS', () => {
    const secure = { ...address, url: 'https://t.example:8443/abc/x.gif' }
    const { script: text = '' } = web.renders(secure, { cloned_web: 'example.com' })
    expect(text).toContain("'https://t.example:8443/abc/x.gif'")
  })

  it('is the same script for the same token, with other names for another', () => {
    expect(script()).toBe(script())
    expect(script('def')).not.toBe(script())
  })

  it('is quiet on a site of its ignore list, at first of translators and archives, and fires elsewhere', async () => {
    const judged = async (location: string, settings: object = {}) => {
      const path = `/a/abc/x.gif?l=${encodeURIComponent(location)}`
      const visit = { channel: 'http', method: 'GET', path, headers: {}, srcHost: '', dstPort: 80 } as const
      await web.prepare?.({ ...settings })
      return web.on.http?.judge?.(visit, { ...settings }, 0)
    }
    const translated = 'https://example-com.translate.goog/login'
    const ignores = ['^staging\\.']
    expect(await judged(translated)).toBe('quiet')
    expect(await judged(translated, { ignores })).toBe('fire')
    expect(await judged('https://staging.example.net/', { ignores })).toBe('quiet')
    expect(await judged('https://staging.example.net/', { ignores, ignores_enabled: false })).toBe('fire')
    expect(await judged('https://evil.example.net/')).toBe('fire')
  })

  it('shows the address of the copy', () => {
    const path = '/a/abc/x.gif?l=https%3A%2F%2Fevil.example%2F%3Fa%26b&r='
    const visit: HttpVisit = {
      channel: 'http',
      method: 'GET',
      path,
      headers: { 'User-Agent': 'Mozilla/5.0', Referer: 'https://evil.example/' },
      srcHost: '192.0.2.7',
      dstPort: 80,
    }
    expect(web.on.http?.describe?.(visit, {}, 0)).toEqual({
      location: 'https://evil.example/?a&b',
      referer: '',
      useragent: 'Mozilla/5.0',
    })
  })
})
