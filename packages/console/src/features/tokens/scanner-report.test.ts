// The page of a token reports what the browser says of itself, after the request that fired.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const REPORTS_FOR_MS = 600_000
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64)'
const SETTINGS = {
  http: { browser_scanner_enabled: true },
  'slow-redirect': { browser_redirect_url: 'https://www.example.com/' },
}

const open = async (url: string): Promise<string> =>
  (await fetch(url, { headers: { 'User-Agent': AGENT, Accept: 'text/html' } })).text()

const reportTo = (url: string, facts: object): string =>
  `${url}?i=${encodeURIComponent(JSON.stringify({ location: url, ...facts }))}`

const incidents = async ({ api }: TestConsole) => (await api.incidentQueries.all()).incidents

describe.each(engines)('the report of a page (%s)', (engine) => {
  it.each(Object.entries(SETTINGS))(
    'of a token %s joins the event that it belongs to',
    async (kind, settings) => {
      const rookery = await openTestConsole({ engine })
      const { decoytoken, url = '' } = (await rookery.api.tokens.create({ kind, memo: 'm', ...settings }))
        .decoytoken
      expect(await open(url)).toContain('<script>')
      const [before, ...none] = await incidents(rookery)
      expect([before?.description.events_count, none]).toEqual(['1', []])
      expect(before?.description.events?.[0]).not.toHaveProperty('additional_info')

      await open(reportTo(url, { platform: 'Linux', cores: 4 }))
      const [after, ...others] = await incidents(rookery)
      expect(others).toEqual([])
      expect(after?.id).toBe(before?.id)
      expect(after?.updated_id).toBeGreaterThan(before?.updated_id ?? Infinity)
      expect(after?.description.events_count).toBe('1')
      expect(after?.description.events).toEqual([
        {
          ...before?.description.events?.[0],
          location: url,
          additional_info: { platform: 'Linux', cores: 4 },
        },
      ])
      expect((await rookery.api.tokens.fetch({ decoytoken })).token.triggered_count).toBe(1)
      // Who polls by the number that they saw last gets the incident again.
      const changed = await rookery.api.incidentQueries.all({ incidents_since: before?.updated_id ?? 0 })
      expect(changed.incidents.map(({ id }) => id)).toEqual([before?.id])
    },
  )

  it.each(['http', 'qr-code', 'slow-redirect'] as const)(
    'of a token %s that somebody looks at later joins for ten minutes, also over a restart',
    async (kind) => {
      const clock = manualClock()
      const rookery = await openTestConsole({ engine, world: { clock } })
      const settings = kind === 'slow-redirect' ? SETTINGS[kind] : {}
      const { url = '' } = (await rookery.api.tokens.create({ kind, memo: 'm', ...settings })).decoytoken
      // A restart takes another port.
      const here = (): string => new URL(new URL(url).pathname, rookery.console.tokensUrl).href
      const facts = async () =>
        (await incidents(rookery)).flatMap(({ description }) =>
          description.events.map((event) => event['additional_info']),
        )
      await open(here())
      clock.advance(REPORTS_FOR_MS / 2)
      await open(reportTo(here(), { n: 1 }))
      expect(await facts()).toEqual([{ n: 1 }])
      clock.advance(REPORTS_FOR_MS / 2 - 1)
      await rookery.restart()
      await open(reportTo(here(), { n: 2 }))
      expect(await facts()).toEqual([{ n: 2 }])
      // One that says nothing of the browser is a visit of its own, as is a report whose page is too old.
      await open(here())
      expect(await facts()).toEqual([{ n: 2 }, undefined])
      await open(reportTo(here(), { n: 3 }))
      expect(await facts()).toEqual([{ n: 2 }, { n: 3 }])
      clock.advance(REPORTS_FOR_MS)
      await open(reportTo(here(), { n: 4 }))
      expect(await facts()).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }])
    },
  )
})
