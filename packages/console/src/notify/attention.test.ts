import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { FLOCK, raiseIncident } from '../../test/raise-incident.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../test/test-console.ts'
import { isWithin, parseAttention } from './attention.ts'

const flock_id = FLOCK
const NIGHT = '22:00-06:00 Europe/Berlin'

describe('quiet hours', () => {
  it.each([
    [NIGHT, '2026-11-20T20:59:59Z', false],
    [NIGHT, '2026-11-20T21:00:00Z', true],
    [NIGHT, '2026-11-21T04:59:59Z', true],
    [NIGHT, '2026-11-21T05:00:00Z', false],
    // In summer the same clocks are two hours ahead.
    [NIGHT, '2026-07-20T19:59:59Z', false],
    [NIGHT, '2026-07-20T20:00:00Z', true],
    [NIGHT, '2026-07-21T04:00:00Z', false],
    // On 25 October 2026 the hour from 02:00 comes twice, and is quiet twice.
    ['02:00-03:00 Europe/Berlin', '2026-10-24T23:59:59Z', false],
    ['02:00-03:00 Europe/Berlin', '2026-10-25T00:00:00Z', true],
    ['02:00-03:00 Europe/Berlin', '2026-10-25T01:59:59Z', true],
    ['02:00-03:00 Europe/Berlin', '2026-10-25T02:00:00Z', false],
    // On 29 March 2026 it does not come.
    ['02:00-03:00 Europe/Berlin', '2026-03-29T00:59:59Z', false],
    ['02:00-03:00 Europe/Berlin', '2026-03-29T01:00:00Z', false],
    ['22:00-06:00 Europe/Berlin', '2026-03-29T03:59:59Z', true],
    ['22:00-06:00 Europe/Berlin', '2026-03-29T04:00:00Z', false],
    ['00:00-23:59 Asia/Kolkata', '2026-11-20T18:29:00Z', false],
    ['00:00-23:59 Asia/Kolkata', '2026-11-20T18:30:00Z', true],
  ])('%s at %s: %s', (hours, at, is) => {
    expect(isWithin(hours, Date.parse(at))).toBe(is)
  })

  it.each([
    [{ quiet_hours: '22-6' }, /two times of 24 hours and a time zone/],
    [{ quiet_hours: '22:00-06:00' }, /and a time zone/],
    [{ quiet_hours: '24:00-06:00 UTC' }, /24 hours/],
    [{ quiet_hours: '22:60-06:00 UTC' }, /24 hours/],
    [{ quiet_hours: '06:00-06:00 UTC' }, /end at another time/],
    [{ quiet_hours: '22:00-06:00 Mars/Olympus' }, /Mars\/Olympus, which is none/],
    [{ quiet_hours: '22:00-06:00 Europe/Berlin or so' }, /time zone/],
    [{ levels: 'used, high' }, /some of used, tried, looked, house.*not high/],
  ])('a wrong text is refused by its name: %j', (given, reason) => {
    const [name = ''] = Object.keys(given)
    expect(() => parseAttention(given)).toThrow(
      expect.objectContaining({
        details: { [name]: expect.stringMatching(reason) as string },
      }) as Error,
    )
  })

  it('are kept in one spelling, and all levels as none', () => {
    expect(parseAttention({ levels: 'looked used', quiet_hours: ' 22:00 - 06:00  Europe/Berlin ' })).toEqual({
      levels: 'used,looked',
      quiet_hours: NIGHT,
    })
    expect(parseAttention({ levels: 'house,looked,tried,used', quiet_hours: '' })).toEqual({
      levels: '',
      quiet_hours: '',
    })
  })
})

/** Logtypes of SSH: a connection, and a login that was tried. */
const LOOKED = '4000'
const TRIED = '4002'

describe.each(engines)('what a receiver is notified of (%s)', (engine) => {
  async function open() {
    const clock = manualClock(Date.parse('2026-11-20T20:00:00Z'))
    const sent: string[] = []
    const outbound = {
      send({ url, body = '' }: OutboundRequest) {
        const { LogType } = JSON.parse(body) as { LogType: string }
        sent.push(`${new URL(url).host} ${LogType}`)
        return Promise.resolve({ status: 200, headers: {}, body: '' })
      },
    }
    const rookery = await openTestConsole({ engine, world: { clock, outbound }, parts: ['api'] })
    const add = (host: string, params: object) =>
      rookery.post('/flock/settings/webhooks/generic/add', { flock_id, url: `https://${host}/in`, ...params })
    async function raise(...logtypes: string[]): Promise<readonly string[]> {
      for (const logtype of logtypes) await raiseIncident(rookery, { logtype })
      await rookery.console.dispatcher.idle()
      return sent.splice(0).toSorted()
    }
    return { rookery, clock, add, raise }
  }

  it('levels choose, quiet hours hold back what only looked, and nothing of it comes in the morning', async () => {
    const { rookery, clock, add, raise } = await open()
    await add('all.test', {})
    await add('tried.test', { levels: 'tried,used' })
    await add('night.test', { quiet_hours: NIGHT })
    expect(await raise(LOOKED, TRIED)).toEqual([
      'all.test 4000',
      'all.test 4002',
      'night.test 4000',
      'night.test 4002',
      'tried.test 4002',
    ])
    clock.advance(2 * 3_600_000)
    expect(await raise(LOOKED, TRIED)).toEqual([
      'all.test 4000',
      'all.test 4002',
      'night.test 4002',
      'tried.test 4002',
    ])
    clock.advance(9 * 3_600_000)
    expect(await raise()).toEqual([])
    expect(await raise(LOOKED)).toEqual(['all.test 4000', 'night.test 4000'])
    const { json } = await rookery.get('/incidents/unacknowledged')
    expect((json['incidents'] as unknown as object[]).length).toBe(5)
  })

  it('is shown by the lists, and what is wrong is refused', async () => {
    const { rookery, add } = await open()
    await add('some.test', { levels: 'tried, used', quiet_hours: NIGHT })
    await rookery.post('/flock/settings/webhooks/siem/add', {
      flock_id,
      host: 'collector.test',
      port: '8088',
      token: 't',
      levels: 'used',
    })
    const list = await rookery.get('/flock/settings/webhooks/generic/list', { flock_id })
    const shown = { levels: 'used,tried', quiet_hours: NIGHT }
    expect(list.json['generic_webhooks']).toMatchObject([shown])
    expect((await rookery.get('/receivers/list')).json['receivers']).toMatchObject([
      shown,
      { levels: 'used', quiet_hours: '' },
    ])
    expect(
      (await rookery.get('/flock/settings/webhooks/siem', { flock_id })).json['siem_webhook'],
    ).toMatchObject({ levels: 'used', quiet_hours: '' })
    const wrong = await add('wrong.test', { quiet_hours: '22:00-06:00' })
    expect([wrong.status, wrong.json['details']]).toEqual([
      400,
      {
        quiet_hours: 'must be two times of 24 hours and a time zone, such as 22:00-06:00 Europe/Berlin',
      },
    ])
  })

  it('is part of every form that adds a receiver', async () => {
    const { rookery } = await open()
    const kinds = (await rookery.get('/receivers/kinds')).json['kinds'] as unknown as Kind[]
    for (const { kind, takes, ...forms } of kinds) {
      for (const form of [forms.add ?? forms.authorise, forms.add_everywhere]) {
        if (!form) continue
        const names = form.fields.map(({ name }) => name)
        const wanted = takes === 'incidents' ? ['levels', 'quiet_hours'] : []
        expect([kind, names.filter((it) => it === 'levels' || it === 'quiet_hours')]).toEqual([kind, wanted])
      }
    }
  })

  it('is kept by a list of recipients while it is off', async () => {
    const { rookery } = await open()
    const set = (params: object) =>
      rookery.post('/flock/settings/notifications/emails', { flock_id, ...params })
    await set({ addresses: 'ops@example.com', levels: 'used', quiet_hours: NIGHT })
    const { json } = await set({ addresses: 'night@example.com' })
    expect(json['notification_info']).toMatchObject({ emails: { levels: 'used', quiet_hours: NIGHT } })
    expect((await set({ clear: true })).json['notification_info']).toMatchObject({
      emails: { levels: 'used,tried,looked,house', quiet_hours: '' },
    })
    expect((await set({ levels: 'all' })).status).toBe(400)
  })
})

interface Form {
  readonly fields: readonly { readonly name: string }[]
}
interface Kind {
  readonly kind: string
  readonly takes: string
  readonly add: Form | null
  readonly authorise: Form | null
  readonly add_everywhere: Form | null
}
