// The connection is cut between COMMIT and its answer: what was committed is not done twice, and nobody is refused for it.
import { expect, it } from 'vitest'
import { openProxy, type Cut } from '../postgres-proxy.ts'
import { openTestConsole } from '../test-console.ts'
import { sshLogin } from '../touches.ts'

const CUTS: readonly Cut[] = ['after the commit', 'before the commit', 'meanwhile']

it.each(CUTS)('twenty touches are twenty when each is cut %s', async (how) => {
  const proxy = await openProxy()
  const { console, get } = await openTestConsole({ parts: ['api'], env: { ROOKERY_DATABASE_URL: proxy.url } })
  for (let n = 0; n < 20; n++) {
    proxy.cutNextCommit(how)
    await console.ingest.fromConsole(sshLogin())
    await expect.poll(proxy.cuts).toBe(n + 1)
  }
  const { incidents } = (await get('/incidents/all')).json as unknown as {
    incidents: { description: { events_count: string } }[]
  }
  expect(incidents.map(({ description }) => description.events_count)).toEqual(['20'])
})

it.each(CUTS)('a Flock is made once, and its maker is answered so, when cut %s', async (how) => {
  const proxy = await openProxy()
  const { api, console } = await openTestConsole({
    parts: ['api'],
    env: { ROOKERY_DATABASE_URL: proxy.url },
  })
  proxy.cutNextCommit(how)
  await api.flocks.create({ name: 'Cut' })
  const flocks = console.base.reader.selectFrom('flock').select('name').where('name', '=', 'Cut')
  expect([proxy.cuts(), (await flocks.execute()).length]).toEqual([1, 1])
})

it('work whose commit was only not answered runs once', async () => {
  const proxy = await openProxy()
  const { base } = (await openTestConsole({ parts: [], env: { ROOKERY_DATABASE_URL: proxy.url } })).console
  proxy.cutNextCommit('after the commit')
  let runs = 0
  await base.writer.write(async (tx) => {
    runs++
    await tx.insertMany('meta', [{ name: 'once', value: 'x' }])
  })
  expect([proxy.cuts(), runs]).toEqual([1, 1])
})
