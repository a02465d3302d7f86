import { describe, expect, it } from 'vitest'
import { deriver } from '../../derive.ts'
import type { WatchedResource } from '../../provider.ts'
import type { SlackAnswer, SlackCall } from './api.ts'
import { ownAgent, pollLogins } from './access-logs.ts'

const NOW = 1_700_000_000
const resource: WatchedResource = {
  tokenId: 'abc',
  kind: 'chatops-api',
  remoteId: 'U1',
  createdAt: (NOW - 500) * 1_000,
  usedAt: 0,
  derive: deriver('chatops-api', Buffer.alloc(32, 1)),
}
const entry = (values: object) => ({
  user_id: 'U1',
  username: 'u',
  date_first: NOW - 90,
  date_last: NOW - 60,
  count: 3,
  ip: '192.0.2.7',
  user_agent: 'curl',
  isp: 'Net',
  country: 'DE',
  ...values,
})

/** Answers each page, and keeps the pages that were asked for. */
function pages(...logins: readonly (readonly unknown[])[]) {
  const asked: string[] = []
  const call = ({ params = {} }: SlackCall): Promise<SlackAnswer> => {
    const { page = '' } = params
    asked.push(page)
    return Promise.resolve({
      error: undefined,
      json: { ok: true, logins: logins[Number(page) - 1], paging: { pages: logins.length } },
    })
  }
  return { asked, call }
}

const poll = (call: ReturnType<typeof pages>['call'], position = '') =>
  pollLogins(call, 'xoxp-admin', { position, resources: [resource] }, NOW * 1_000)

describe('the access logs of Slack', () => {
  it('report uses of watched users since they are watched, but not those of the console', async () => {
    const { call } = pages([
      entry({}),
      entry({ user_id: 'U2' }),
      entry({ user_agent: ownAgent(resource.derive) }),
      entry({ date_last: NOW - 501 }),
      ...[null, 7, 'x', {}, { user_id: 'U1' }, { user_id: 'U1', date_last: '1' }],
    ])
    const { events, position } = await poll(call)
    expect(events).toEqual([
      {
        id: JSON.stringify(['U1', '192.0.2.7', 'curl', NOW - 60, 3]),
        remoteId: 'U1',
        at: (NOW - 60) * 1_000,
        srcHost: '192.0.2.7',
        eventName: 'access_log',
        fields: {
          username: 'u',
          useragent: 'curl',
          count: 3,
          isp: 'Net',
          country: 'DE',
          date_first: new Date((NOW - 90) * 1_000).toISOString(),
        },
      },
    ])
    expect(Number(position)).toBeLessThan(NOW)
  })

  it('pass over a time that is none', async () => {
    const { call } = pages([
      entry({ date_first: 1e300 }),
      entry({ date_last: 1e300 }),
      entry({ date_last: -1 }),
      entry({ date_last: NOW - 60.5 }),
    ])
    expect((await poll(call)).events.map(({ at }) => at)).toEqual([(NOW - 60) * 1_000, (NOW - 60.5) * 1_000])
  })

  it('are read page by page, until entries are older than the last poll', async () => {
    const [fresh, old] = [entry({}), entry({ date_last: NOW - 2_000 })]
    const { asked, call } = pages([fresh], [fresh], [fresh, old], [old])
    expect((await poll(call, String(NOW - 1_000))).events).toHaveLength(3)
    expect(asked).toEqual(['1', '2', '3'])
  })

  it('are read no further than the rate limit of Slack allows', async () => {
    const { asked, call } = pages(...Array.from({ length: 50 }, () => [entry({})]))
    await poll(call)
    expect(asked).toHaveLength(10)
  })

  it('that are not shown say why', async () => {
    const call = () => Promise.resolve({ error: 'paid_only', json: {} })
    await expect(poll(call)).rejects.toThrow('no paid plan')
  })
})
