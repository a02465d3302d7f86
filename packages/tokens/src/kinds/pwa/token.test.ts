import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { contentTypeOf } from '../../file-format.ts'
import { imageSize } from '../../image-size.ts'
import { readSettings } from '../../settings.ts'
import { descriptor } from './descriptor.ts'
import { ICON_NAMES } from './artworks.ts'
import { iconOf, ICON_SIZES } from './icons.ts'
import app from './token.ts'

const settings = readSettings(descriptor, { pwa_app_name: `<Payroll & "more">`, pwa_icon: 'wallet' })
const visit = (facts: Partial<HttpVisit> = {}): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path: '/a/abc/x.html',
  headers: { 'User-Agent': 'Mozilla/5.0' },
  srcHost: '192.0.2.7',
  dstPort: 80,
  ...facts,
})
const report = (facts: unknown, path = '/a/abc/x.html?session'): HttpVisit =>
  visit({ method: 'POST', path, body: JSON.stringify(facts) })
const verdict = (it: HttpVisit): unknown => app.on.http?.judge?.(it, settings, 0)
const answer = (query = '') => app.on.http?.answer?.(visit({ path: `/a/abc/x.html${query}` }), settings)

describe('the pwa kind', () => {
  it('fires when it is opened as an app, and shows what the device says', () => {
    const facts = {
      display_mode: 'standalone',
      location: 'http://t/a/abc/x.html',
      platform: 'Linux',
      cores: 8,
    }
    expect(verdict(report(facts))).toBe('fire')
    expect(app.on.http?.describe?.(report(facts), settings, 0)).toEqual({
      useragent: 'Mozilla/5.0',
      display_mode: 'standalone',
      location: 'http://t/a/abc/x.html',
      additional_info: { platform: 'Linux', cores: 8 },
    })
  })

  it('does not fire in a tab: the page is quiet, its parts are not kept', () => {
    expect([visit(), visit({ path: '/a/abc/x.html?start' }), visit({ method: 'HEAD' })].map(verdict)).toEqual(
      ['quiet', 'quiet', 'quiet'],
    )
    expect(
      ['?manifest', '?icon=192', '?icon=180'].map((it) => verdict(visit({ path: `/abc${it}` }))),
    ).toEqual(['nothing', 'nothing', 'nothing'])
    for (const facts of [
      { display_mode: 'browser' },
      { display_mode: 7 },
      {},
      [],
      'x',
      { a: 'x'.repeat(5_000) },
    ])
      expect(verdict(report(facts)), JSON.stringify(facts).slice(0, 40)).toBe('quiet')
    expect(verdict(visit({ method: 'POST' }))).toBe('quiet')
    expect(verdict(visit({ path: `/abc?session={"display_mode":"standalone"}` }))).toBe('quiet')
  })

  it('fires where the report was not kept', () => {
    expect(verdict(visit({ method: 'POST', isBodyCut: true }))).toBe('fire')
  })

  it('is a page with a manifest, and the name cannot break out of it', () => {
    const { status, headers, body } = answer() ?? {}
    expect([status, headers?.['Content-Type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers?.['Content-Security-Policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'/,
    )
    expect(String(body)).toContain('<title>&#60;Payroll &#38; &#34;more&#34;&#62;</title>')
    expect(String(body).match(/<script/g)).toHaveLength(1)
    expect(JSON.parse(String(answer('?manifest')?.body))).toMatchObject({
      name: `<Payroll & "more">`,
      display: 'standalone',
      start_url: '?start',
    })
  })

  it('repeats nothing of the address that was asked for', () => {
    for (const query of ['', '?manifest', '?icon=99', '?icon=<script>'])
      expect(answer(`//evil.example/${query}`)?.body).not.toContain('evil.example')
    expect(answer('?icon=99')?.headers['Content-Type']).toBe('text/html; charset=utf-8')
  })

  it('has its icons in each size, drawn to the last line', () => {
    for (const name of ICON_NAMES)
      for (const size of ICON_SIZES) {
        const png = iconOf(name, size)
        expect(imageSize(png)).toEqual({ width: size, height: size })
        expect(contentTypeOf(png, ['png'])).toEqual({ contentType: 'image/png' })
        const start = png.indexOf('IDAT') + 4
        const lines = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
        expect(lines.length).toBe(size * (1 + size / 2))
        const signed = lines.filter((it) => it === 0xff).length / lines.length
        expect([name, signed > 0.05 && signed < 0.5]).toEqual([name, true])
      }
    expect(answer('?icon=512')?.body).toBe(iconOf('wallet', 512))
  })

  it('refuses a name that is too long, and an unknown icon with the list', () => {
    expect(() => readSettings(descriptor, { pwa_app_name: 'x'.repeat(46) })).toThrow('pwa_app_name')
    expect(() => readSettings(descriptor, { pwa_icon: 'bank' })).toThrow('pwa_icon')
    expect(readSettings(descriptor, {})).toEqual({ pwa_app_name: 'Files', pwa_icon: 'folder' })
  })
})
