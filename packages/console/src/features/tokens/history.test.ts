import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

/** Adds a token that is quiet where a request has no Referer header, and does nothing on its own site. */
async function createCss(rookery: TestConsole) {
  const { decoytoken } = await rookery.api.tokens.create({
    kind: 'cloned-css',
    memo: 'Log-in page',
    expected_referrer: 'example.com',
  })
  return decoytoken
}

const open = (url: string, agent: string, referer?: string): Promise<Response> =>
  fetch(url, { headers: { 'User-Agent': agent, ...(referer !== undefined && { Referer: referer }) } })

const historyOf = async ({ api }: TestConsole, decoytoken: string) =>
  (await api.tokens.history({ decoytoken })).history

describe.each(engines)('the history of a token (%s)', (engine) => {
  it('shows what fired with its incident, and quiet touches without one, the newest first', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken, url } = await createCss(rookery)
    await open(url, 'fires', 'https://evil.example.net/login')
    await open(url, 'at home', 'https://www.example.com/')
    await open(url, 'quiet')
    await open(url, 'quiet')
    await expect.poll(async () => (await historyOf(rookery, decoytoken)).length, { timeout: 10_000 }).toBe(2)
    const { incidents } = await rookery.api.incidentQueries.all()
    const [incident, ...others] = incidents
    expect(others).toEqual([])
    expect(await historyOf(rookery, decoytoken)).toEqual([
      expect.objectContaining({
        quiet: true,
        incident: null,
        event: expect.objectContaining({ type: 'cloned-css', useragent: 'quiet', referer: '' }) as object,
      }),
      expect.objectContaining({
        quiet: false,
        incident: incident?.id,
        timestamp_std: expect.stringMatching(/ UTC\+0000$/) as string,
        event: expect.objectContaining({ decoytoken, referer_host: 'evil.example.net' }) as object,
      }),
    ])
    const { token } = await rookery.api.tokens.fetch({ decoytoken })
    expect(token.triggered_count).toBe(1)
    expect((await rookery.api.tokens.history({ decoytoken, limit: 1 })).history).toHaveLength(1)
  })

  it('is empty for a new token, and is not shown outside its Flock', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await createCss(rookery)
    expect(await historyOf(rookery, decoytoken)).toEqual([])
    const missing = await rookery.get('/decoytoken/history', { decoytoken: 'a'.repeat(25) })
    expect([missing.status, missing.json['message']]).toEqual([404, 'Could not find the decoytoken'])
    expect((await rookery.get('/decoytoken/history', { decoytoken, tz: 'Moon/Sea' })).status).toBe(400)
  })
})
