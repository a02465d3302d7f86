import { describe, expect, it } from 'vitest'
import { pixel } from '../../channels/http/blank.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import redirect from './token.ts'

const visit = (path: string): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path,
  headers: { 'User-Agent': 'Mozilla/5.0' },
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const report = (facts: unknown): HttpVisit =>
  visit(`/a/abc/x.gif?i=${encodeURIComponent(JSON.stringify(facts))}`)
const { describe: describeVisit, amend, answer } = redirect.on.http ?? {}
const page = (browser_redirect_url: string): string =>
  String(answer?.(visit('/a/abc/x.gif'), { browser_redirect_url }).body)

describe('the slow-redirect kind', () => {
  it('answers a page that leads to the target, with scripts and without', () => {
    const body = page('https://example.com/a?b=c&d=e')
    expect(body).toContain('data-to="https://example.com/a?b=c&#38;d=e"')
    expect(body).toContain(
      '<noscript><meta http-equiv="refresh" content="2;url=https://example.com/a?b=c&#38;d=e">',
    )
  })

  it('a target cannot break out of the page', () => {
    const body = page(`https://example.com/"><script>alert(1)</script>'`)
    expect(body.match(/<script>/g)).toHaveLength(1)
    expect(body).not.toContain('alert(1)</script>')
  })

  it('the page runs no script but its own', () => {
    const { headers } = answer?.(visit('/a'), { browser_redirect_url: 'https://example.com/' }) ?? {}
    expect(headers?.['Content-Security-Policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]{44}';/,
    )
  })

  it('the report of the page adds to the event, and gets a picture', () => {
    const reported = report({ location: 'http://t.example/a', platform: 'Linux', cores: 4, webdriver: false })
    const fields = {
      location: 'http://t.example/a',
      additional_info: { platform: 'Linux', cores: 4, webdriver: false },
    }
    expect(amend?.(reported, {})).toEqual(fields)
    expect(describeVisit?.(reported, {}, 0)).toMatchObject(fields)
    expect(answer?.(reported, { browser_redirect_url: 'https://example.com/' })).toBe(pixel)
  })

  it('what is no report adds nothing', () => {
    for (const path of ['/a', '/a?i=', '/a?i={', '/a?i=7', `/a?i={"a":"${'x'.repeat(5_000)}"}`, '/a?i=%ff'])
      expect(amend?.(visit(path), {}), path.slice(0, 20)).toBeUndefined()
    expect(amend?.(report({ a: { b: 1 }, c: [1], d: null, e: 'f' }), {})).toEqual({
      additional_info: { e: 'f' },
    })
  })
})
