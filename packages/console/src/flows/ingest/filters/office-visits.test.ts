// Office asks for what a file links to under several user agents.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'

/** As Word asks for one link, in its order. */
const OPENING = [
  ['OPTIONS', 'Microsoft Office Protocol Discovery'],
  ['HEAD', 'Microsoft Office Existence Discovery'],
  ['GET', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
] as const
const WINDOW_MS = 10_000

async function planted(engine: (typeof engines)[number], kind: string) {
  const clock = manualClock()
  const env = { ROOKERY_TRUSTED_PROXIES: '127.0.0.0/8' }
  const rookery = await openTestConsole({ engine, env, world: { clock } })
  const { decoytoken, url = '' } = (await rookery.api.tokens.create({ kind, memo: 'm' })).decoytoken
  return {
    clock,
    async open(query = '', source = '198.51.100.7') {
      for (const [method, agent] of OPENING)
        await fetch(`${url}${query}`, { method, headers: { 'User-Agent': agent, 'X-Forwarded-For': source } })
    },
    /** Of each incident, by its source. */
    async events() {
      const { incidents } = await rookery.api.incidentQueries.all({ node_id: decoytoken, shrink: false })
      return new Map(incidents.map(({ description }) => [description.src_host, description.events]))
    },
  }
}

describe.each(engines)('an opening of an Office file (%s)', (engine) => {
  it.each(['doc-wordproc', 'doc-spreadsheet', 'wordproc-macro', 'spreadsheet-macro'])(
    'of %s is one event, whatever programs of Office ask',
    async (kind) => {
      const { clock, open, events } = await planted(engine, kind)
      await open()
      const [method, useragent] = OPENING[0]
      expect(await events()).toEqual(
        new Map([['198.51.100.7', [expect.objectContaining({ method, useragent })]]]),
      )
      await open('', '198.51.100.8')
      expect(Array.from((await events()).values(), (it) => it.length)).toEqual([1, 1])
      clock.advance(WINDOW_MS)
      await open()
      expect((await events()).get('198.51.100.7')).toHaveLength(2)
    },
  )

  it.each(['wordproc-macro', 'spreadsheet-macro'])(
    'of %s is one event for each user that it reports, also behind one address',
    async (kind) => {
      const { open, events } = await planted(engine, kind)
      await open('?user=eve&computer=pc1&domain=corp')
      await open('?user=adam&computer=pc2&domain=corp')
      expect((await events()).get('198.51.100.7')?.map((it) => it['user'])).toEqual(['eve', 'adam'])
    },
  )
})
