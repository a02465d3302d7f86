// The page of a token reports what the browser says of itself, after the request that fired.
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

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
})
