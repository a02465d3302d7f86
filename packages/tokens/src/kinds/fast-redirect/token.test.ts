import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../../channels/http/visit.ts'
import redirect from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example:81/a/abc/x.gif', hostname: 'abc.t.example' }
const settings = (browser_redirect_url: string) => ({ browser_redirect_url })
const visit: HttpVisit = {
  channel: 'http',
  method: 'GET',
  path: '/a/abc/x.gif?q=1',
  headers: { 'User-Agent': 'curl/8' },
  srcHost: '192.0.2.7',
  dstPort: 80,
}
const { describe: describeVisit, answer } = redirect.on.http ?? {}

describe('the fast-redirect kind', () => {
  it('plants the URL', () => {
    expect(redirect.renders(address, settings('https://example.com/'))).toEqual({ url: address.url })
  })

  it('leads to the target at once, as a header takes it', () => {
    const headers = (target: string) => answer?.(visit, settings(target)).headers
    expect(answer?.(visit, settings('https://example.com/a?b=c#d')).status).toBe(302)
    expect(headers('https://example.com/a?b=c#d')).toMatchObject({ Location: 'https://example.com/a?b=c#d' })
    expect(headers('https://example.com/a\r\nX: y')).toMatchObject({
      Location: 'https://example.com/aX:%20y',
    })
    expect(headers('https://exämple.com/ü')).toMatchObject({ Location: 'https://xn--exmple-cua.com/%C3%BC' })
  })

  it('shows what the visitor sent', () => {
    expect(describeVisit?.(visit, {}, 0)).toEqual({
      method: 'GET',
      useragent: 'curl/8',
      referer: '',
      query: 'q=1',
    })
  })
})
