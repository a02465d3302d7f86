import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { openTestConsole } from '../../test/test-console.ts'

interface Line {
  readonly msg: string
  readonly count: number
}

/** A console whose log the test reads; a proxy at 127.0.0.1 names the caller. */
async function openLogged() {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  const clock = manualClock()
  const rookery = await openTestConsole({
    log: pino({ level: 'warn' }, stream),
    world: { clock },
    env: { ROOKERY_TRUSTED_PROXIES: '127.0.0.1' },
  })
  const call = (from: string, path: string, key: string): Promise<Response> =>
    fetch(`${rookery.console.apiUrl}/api/v1${path}`, {
      headers: { 'X-Auth-Token': key, 'X-Forwarded-For': from },
    })
  const refused = (): Line[] => lines.filter(({ msg }) => msg.startsWith('call refused'))
  return { rookery, clock, call, refused, lines }
}

it('unknown keys are logged: the first of a source in a minute, the tenth, and that it may no more', async () => {
  const { clock, call, refused, lines } = await openLogged()
  const key = 'f'.repeat(32)
  for (let n = 0; n < 25; n++) await call('192.0.2.7', '/incidents/all?limit=1', key)
  await call('192.0.2.8', '/ping', key)
  const seven = { address: '192.0.2.7', method: 'GET', path: '/api/v1/incidents/all' }
  expect(refused()).toMatchObject([
    { ...seven, reason: 'Invalid auth_token', count: 1 },
    { ...seven, reason: 'Invalid auth_token', count: 10 },
    { ...seven, reason: expect.stringMatching(/^Too many unknown keys/) as string, count: 1 },
    { address: '192.0.2.8', path: '/api/v1/ping', reason: 'Invalid auth_token', count: 1 },
  ])
  clock.advance(60_000)
  await call('192.0.2.7', '/ping', key)
  expect(refused()).toHaveLength(5)
  expect(JSON.stringify(lines)).not.toContain(key)
})

it('a key without the right is logged by its id', async () => {
  const { rookery, call, refused } = await openLogged()
  const { global_api_key: lesser } = await rookery.api.apiKeys.add({
    auth_token_type: 'read-only',
    note: 'n',
  })
  const answer = await call('192.0.2.7', '/auth_token/list', lesser.auth_token)
  expect(answer.status).toBe(403)
  expect(refused()).toMatchObject([
    {
      address: '192.0.2.7',
      path: '/api/v1/auth_token/list',
      reason: `This operation needs a key of type admin; key ${lesser.key_id} is read-only.`,
      count: 1,
    },
  ])
})

it('what is merely wrong in a call is no refusal', async () => {
  const { rookery, refused } = await openLogged()
  expect((await rookery.get('/incident/fetch', { incident: 'none' })).status).toBe(404)
  expect((await rookery.get('/nothing')).status).toBe(404)
  expect(refused()).toEqual([])
})
