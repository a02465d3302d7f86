import { readCsv } from '@rookery/kernel/csv/read.ts'
import type { HttpVisit } from '@rookery/tokens/channels/http/visit.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ADMIN, engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

/** Adds a token that is quiet where a request has no Referer header, and does nothing on its own site. */
async function createCss(rookery: TestConsole) {
  const { decoytoken } = await rookery.api.tokens.create({
    kind: 'cloned-css',
    memo: 'Login page',
    expected_referrer: 'example.com',
  })
  return decoytoken
}

const open = (url: string, agent: string, referer?: string): Promise<Response> =>
  fetch(url, { headers: { 'User-Agent': agent, ...(referer !== undefined && { Referer: referer }) } })

const historyOf = async ({ api }: TestConsole, decoytoken: string) =>
  (await api.tokens.history({ decoytoken })).history

/** A request from a site elsewhere, which fires, or of no known site; the address tells incidents apart, the agent visits. */
const visitFrom = (srcHost: string, agent: string, isQuiet = false): HttpVisit => ({
  channel: 'http',
  srcHost,
  dstPort: 80,
  headers: { 'User-Agent': agent, ...(!isQuiet && { Referer: 'https://evil.example.net/' }) },
  method: 'GET',
  path: '/',
})

/** The cells of each row behind the header. */
const rowsOf = (csv: string): string[][] => [...readCsv(csv)].slice(1).map(({ cells }) => [...cells])

/** The agents of the touches, read page by page. */
async function agentsByPages(rookery: TestConsole, decoytoken: string, limit: number): Promise<unknown[]> {
  const agents: unknown[] = []
  let page = await rookery.api.tokens.history({ decoytoken, limit })
  for (;;) {
    agents.push(...page.history.map(({ event }) => event['useragent']))
    const { next } = page.cursor
    if (next === null) return agents
    page = await rookery.api.tokens.history({ decoytoken, cursor: next })
  }
}

describe.each(engines)('the history of a token (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('shows what fired with its incident, and quiet touches without one, the newest first', async () => {
    const { decoytoken, url } = await createCss(rookery)
    await open(url, 'fires', 'https://evil.example.net/login')
    await open(url, 'at home', 'https://www.example.com/')
    await open(url, 'quiet')
    await open(url, 'quiet')
    await expect.poll(async () => (await historyOf(rookery, decoytoken)).length).toBe(2)
    const { incidents } = await rookery.api.incidentQueries.all()
    const [incident, ...others] = incidents
    expect(others).toEqual([])
    expect(await historyOf(rookery, decoytoken)).toEqual([
      expect.objectContaining({
        quiet: true,
        reason: 'its kind judges it quiet',
        incident: null,
        event: expect.objectContaining({ type: 'cloned-css', useragent: 'quiet', referer: '' }) as object,
      }),
      expect.objectContaining({
        quiet: false,
        reason: '',
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
    const { decoytoken } = await createCss(rookery)
    expect(await historyOf(rookery, decoytoken)).toEqual([])
    const missing = await rookery.get('/decoytoken/history', { decoytoken: 'a'.repeat(25) })
    expect([missing.status, missing.json['message']]).toEqual([404, 'Could not find the decoytoken'])
    expect((await rookery.get('/decoytoken/history', { decoytoken, tz: 'Moon/Sea' })).status).toBe(400)
  })

  it('has each touch once, newest first, in pages of any size and as a file', async () => {
    const { decoytoken } = await createCss(rookery)
    const touch = fc.record({ source: fc.integer({ min: 1, max: 5 }), gap: fc.nat(2), isQuiet: fc.boolean() })
    const [touches = []] = fc.sample(fc.array(touch, { minLength: 120, maxLength: 120 }), 1)
    const startAt = Date.now() - 3_600_000
    let receivedAt = startAt
    const sent = touches.map(({ source, gap, isQuiet }, n) => {
      receivedAt += gap
      return { visit: visitFrom(`192.0.2.${source}`, `agent ${n}`, isQuiet), receivedAt }
    })
    // They come in as a spool may deliver them: later ones first.
    for (const it of sent.toReversed())
      await rookery.console.ingest.fromToken({ tokenId: decoytoken, srcPort: 1, dstHost: 'x', ...it })
    const count = async () => (await rookery.api.tokens.history({ decoytoken, limit: 1_000 })).history.length
    await expect.poll(count).toBe(120)
    const whole = await agentsByPages(rookery, decoytoken, 1_000)
    expect([...whole].sort()).toEqual(sent.map((_, n) => `agent ${n}`).sort())
    const times = whole.map((agent) => sent[Number(String(agent).slice(6))]?.receivedAt ?? 0)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const limit of [7, 119, 120]) expect(await agentsByPages(rookery, decoytoken, limit)).toEqual(whole)
    const file = await rookery.get('/decoytoken/history', { decoytoken, format: 'csv' })
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename=history-${decoytoken}.csv`)
    const events = rowsOf(file.text).map((cells) => JSON.parse(cells.at(-1) ?? '') as { useragent: string })
    expect(events.map(({ useragent }) => useragent)).toEqual(whole)
  })

  it('leads from page to page by links; the cursor of another token is a 400', async () => {
    const { decoytoken } = await createCss(rookery)
    for (const agent of ['a', 'b'])
      await rookery.console.ingest.fromToken({
        tokenId: decoytoken,
        srcPort: 1,
        dstHost: 'x',
        visit: visitFrom('192.0.2.1', agent),
        receivedAt: Date.now(),
      })
    const { cursor } = await rookery.api.tokens.history({ decoytoken, limit: 1 })
    const linked = await fetch(cursor.next_link ?? '', { headers: { 'X-Auth-Token': ADMIN } })
    const { history } = (await linked.json()) as { history: { event: { useragent: string } }[] }
    expect(history.map(({ event }) => event.useragent)).toEqual(['a'])
    const other = await createCss(rookery)
    const params = { decoytoken: other.decoytoken, cursor: cursor.next ?? '' }
    expect((await rookery.get('/decoytoken/history', params)).status).toBe(400)
  })

  it('as a file runs nothing in a spreadsheet, whatever an intruder sent', async () => {
    const { decoytoken } = await createCss(rookery)
    await rookery.console.ingest.fromToken({
      tokenId: decoytoken,
      srcPort: 1,
      dstHost: 'x',
      visit: visitFrom('=cmd|calc', '=HYPERLINK("http://evil","x")'),
      receivedAt: Date.now(),
    })
    const { text } = await rookery.get('/decoytoken/history', { decoytoken, format: 'csv' })
    const cells = rowsOf(text).flat()
    expect(cells).toContain("'=cmd|calc")
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
  })
})
