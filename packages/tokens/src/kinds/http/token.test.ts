import { describe, expect, it } from 'vitest'
import { pixel } from '../../channels/http/blank.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import http from './token.ts'

const visit = (headers: Record<string, string>, path = '/a/id/x.gif'): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path,
  headers,
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const { describe: describeVisit, answer } = http.on.http ?? {}

describe('the http kind', () => {
  it('plants the URL as it is and as an invisible image', () => {
    const url = 'http://t.example/img/abc/pixel.gif'
    expect(http.renders({ tokenId: 'abc', url, hostname: 'abc.t.example' }, {})).toEqual({
      url,
      html: `<img src="${url}" width="1" height="1" alt="">`,
    })
  })

  it('answers a browser with a page and a program with the pixel', () => {
    const settings = { browser_scanner_enabled: true }
    expect(answer?.(visit({ Accept: 'text/html,*/*' }), settings).headers['Content-Type']).toMatch(
      'text/html',
    )
    expect(answer?.(visit({ Accept: '*/*' }), settings)).toEqual(pixel)
  })

  it('answers everybody with the pixel when the page is off', () => {
    expect(answer?.(visit({ Accept: 'text/html' }), { browser_scanner_enabled: false })).toEqual(pixel)
  })

  it('shows in the event what the visitor sent', () => {
    expect(describeVisit?.(visit({ 'User-Agent': 'curl/8' }, '/id?q=1'), {}, 0)).toEqual({
      method: 'GET',
      useragent: 'curl/8',
      referer: '',
      query: 'q=1',
    })
  })
})
