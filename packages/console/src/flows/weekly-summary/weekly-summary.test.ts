import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK } from '../../../test/raise-incident.ts'
import { registeredBird } from '../../../test/birds.ts'
import {
  engines,
  freshDatabase,
  openTestConsole,
  type TestConsole,
  type TestConsoleOptions,
} from '../../../test/test-console.ts'
import { mailTo, openMailSink, type MailSink } from '../../../test/mail-sink.ts'
import { manualClock, type ManualClock } from '../../../test/manual-clock.ts'

const HOUR = 3_600_000

interface Opened {
  readonly sink: MailSink
  readonly clock: ManualClock
  readonly rookery: TestConsole
  /** Another console of the same kind. */
  readonly another: () => Promise<TestConsole>
  /** Turns the clock to an instant and lets everything happen that is due. */
  readonly turnTo: (instant: string) => Promise<void>
}

async function open(
  start: string,
  timeZone: string,
  more: Partial<TestConsoleOptions> = {},
): Promise<Opened> {
  const sink = await openMailSink({ disabledCommands: ['STARTTLS'] })
  const clock = manualClock(Date.parse(start))
  const houses: TestConsole[] = []
  const another = async (): Promise<TestConsole> => {
    const rookery = await openTestConsole({
      world: { clock, mail: mailTo(sink) },
      parts: ['api'],
      ...more,
      env: { ROOKERY_TIMEZONE: timeZone, ...more.env },
    })
    houses.push(rookery)
    await rookery.console.summaries.idle()
    return rookery
  }
  const rookery = await another()
  const turnTo = async (instant: string): Promise<void> => {
    clock.leap(Date.parse(instant) - clock.now())
    // A worker that was woken on the way sleeps again only now, until a time that may have passed. A console that slept
    // gets its lease back within seconds.
    for (const more of [0, 0, 4_000, 0]) {
      clock.advance(more)
      for (const { console } of houses) {
        await console.summaries.idle()
        await console.dispatcher.idle()
      }
    }
  }
  return { sink, clock, rookery, another, turnTo }
}

const subscribe = async (
  rookery: TestConsole,
  addresses = 'team@a.test',
  flock_id = FLOCK,
): Promise<void> => {
  const path = '/flock/settings/notifications/summary_email'
  const { status, text } = await rookery.post(path, { flock_id, addresses, enabled: true })
  expect([status, text]).toEqual([200, expect.any(String)])
}

describe.each(engines)('the weekly summary (%s)', (engine) => {
  it('counts the week of the Flock, and of every Flock for the console', async () => {
    // Monday, 08:00 in New York is 13:00 UTC.
    const { sink, clock, rookery, turnTo } = await open('2026-11-16T12:59:00Z', 'America/New_York', {
      engine,
    })
    const other = String((await rookery.api.flocks.create({ name: 'Berlin <HQ>' })).flock_id)
    await subscribe(rookery)
    await rookery.api.consoleNotifications.summaryEmail({ addresses: 'ciso@a.test', enabled: true })
    await raiseIncident(rookery, { srcHost: '192.0.2.1' })
    await turnTo('2026-11-16T13:00:00Z')
    await sink.count(2)

    for (const [srcHost, times] of [
      ['192.0.2.7', 3],
      ['192.0.2.8', 1],
    ] as const) {
      for (let i = 0; i < times; i++) {
        clock.advance(25 * HOUR)
        await raiseIncident(rookery, { srcHost })
      }
    }
    await raiseIncident(rookery, { srcHost: '192.0.2.9', flockId: other })
    await registeredBird(rookery, { live: 1, last_seen_at: clock.now() })
    await registeredBird(rookery, { live: 0, last_seen_at: clock.now() + HOUR })
    await registeredBird(rookery, { live: 0, last_seen_at: 0 })
    const answer = await rookery.api.incidentQueries.unacknowledged()
    const ids = answer.incidents.map(({ id }) => id)
    const older = ids.filter((id) => /consolesettings|192\.0\.2\.1:/.test(id))
    const [gone = ''] = ids.filter((id) => id.includes('192.0.2.7'))
    for (const incident of [...older, gone]) await rookery.api.incidentActions.acknowledge({ incident })
    await rookery.api.incidentActions.remove({ incident: gone })

    await turnTo('2026-11-23T12:59:50Z')
    expect(sink.mails).toHaveLength(2)
    await turnTo('2026-11-23T13:00:00Z')
    const mails = (await sink.count(4)).slice(2)
    const own = mails.find(({ to }) => to[0] === 'team@a.test')
    expect(own?.headers.get('subject')).toBe('[Rookery] Weekly Summary (Default Flock)')
    expect(own?.text.trimEnd()).toBe(
      [
        'Weekly Summary',
        '2026-11-16 08:00:00 UTC-0500 to 2026-11-23 08:00:00 UTC-0500: 3 new incidents, 3 unacknowledged; 1 Bird live, 1 offline.',
        'New incidents: 3\nUnacknowledged incidents: 3\nBirds live: 1\nBirds offline: 1\nBirds never seen: 1',
        'New incidents\nSSH Login Attempt: 3',
        'Sources of most incidents\n192.0.2.7: 2\n192.0.2.8: 1',
        `Open the console: ${rookery.console.apiUrl}`,
      ].join('\n\n'),
    )
    const whole = mails.find(({ to }) => to[0] === 'ciso@a.test')
    expect(whole?.headers.get('subject')).toBe('[Rookery] Weekly Summary')
    expect(whole?.text).toContain('4 new incidents, 4 unacknowledged; 1 Bird live, 1 offline.')
    expect(whole?.text).toContain('Berlin <HQ>: Sources of most incidents\n192.0.2.9: 1')
    expect(whole?.html).toContain('Berlin &lt;HQ&gt;: New incidents')
    expect(mails).toHaveLength(2)
  })

  it('goes out once for each week: not at the first start, not again after a restart, and late rather than never', async () => {
    const { sink, clock, rookery, turnTo } = await open('2026-11-18T10:00:00Z', 'Asia/Kolkata', { engine })
    await subscribe(rookery)
    await rookery.restart()
    await turnTo('2026-11-23T02:29:50Z')
    expect(sink.mails).toHaveLength(0)
    // Asleep over Monday, 08:00 in Kolkata (02:30 UTC), and awake on Tuesday.
    await rookery.console.stop()
    clock.advance(30 * HOUR)
    await rookery.restart()
    await turnTo('2026-11-24T09:00:00Z')
    expect((await sink.count(1)).map(({ text }) => text.split('\n')[2]?.slice(0, 61))).toEqual([
      '2026-11-16 08:00:00 UTC+0530 to 2026-11-23 08:00:00 UTC+0530:',
    ])
    await rookery.restart()
    await turnTo('2026-11-30T02:29:00Z')
    expect(sink.mails).toHaveLength(1)
    // Asleep for three weeks: only the last one is sent.
    await rookery.console.stop()
    clock.advance(21 * 24 * HOUR)
    await rookery.restart()
    await turnTo('2026-12-21T02:29:30Z')
    expect((await sink.count(2))[1]?.text).toContain('to 2026-12-14 08:00:00')
    // A clock that goes back sends nothing twice.
    clock.advance(-10 * 24 * HOUR)
    await rookery.restart()
    await turnTo('2026-12-21T02:29:45Z')
    expect(sink.mails).toHaveLength(2)
  })

  it('that the mail server puts off goes out later, as it was counted', async () => {
    const { sink, rookery, turnTo } = await open('2026-11-22T10:00:00Z', 'UTC', { engine })
    await subscribe(rookery)
    sink.refuse(() => ({ code: 451, text: 'later' }))
    await turnTo('2026-11-23T08:00:00Z')
    await raiseIncident(rookery)
    sink.refuse(() => undefined)
    await turnTo('2026-11-23T08:00:07Z')
    expect((await sink.count(1))[0]?.text).toContain('New incidents: 0')
    const log = await rookery.console.base.reader.selectFrom('delivery').selectAll().execute()
    expect(log).toMatchObject([{ subject: 'weekly', state: 'delivered', attempts: 2 }])
  })

  it('is not sent while its list is off', async () => {
    const { sink, rookery, turnTo } = await open('2026-11-22T10:00:00Z', 'UTC', { engine })
    await subscribe(rookery)
    await rookery.api.flockNotifications.summaryEmail({ flock_id: FLOCK, enabled: false })
    await turnTo('2026-11-23T09:00:00Z')
    expect(sink.mails).toEqual([])
  })
})

it.each([
  ['Europe/Berlin', '2026-03-30T06:00:00Z'],
  ['Europe/Berlin', '2026-10-26T07:00:00Z'],
  ['America/New_York', '2026-03-09T12:00:00Z'],
  ['America/New_York', '2026-11-02T13:00:00Z'],
  ['America/Santiago', '2026-04-06T12:00:00Z'],
  ['Asia/Jerusalem', '2026-03-30T05:00:00Z'],
  ['Asia/Kathmandu', '2026-03-30T02:15:00Z'],
])('at 08:00 of %s, also after the clocks changed (%s)', async (timeZone, instant) => {
  const at = Date.parse(instant)
  const before = (ms: number): string => new Date(at - ms).toISOString()
  const { sink, rookery, turnTo } = await open(before(72 * HOUR), timeZone)
  await subscribe(rookery)
  await turnTo(before(10_000))
  expect(sink.mails).toEqual([])
  await turnTo(instant)
  const [mail] = await sink.count(1)
  expect(mail?.text).toMatch(/ to \d{4}-\d\d-\d\d 08:00:00 UTC/)
})

it('goes out once from two consoles on one database', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: '5'.repeat(64) }
  const { sink, rookery, another, turnTo } = await open('2026-11-20T10:00:00Z', 'UTC', { env })
  await another()
  await subscribe(rookery, 'a@a.test,b@a.test')
  for (const week of ['2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z', '2026-12-07T11:11:11Z']) {
    const before = sink.mails.length
    await turnTo(week)
    await sink.count(before + 1)
    await turnTo(new Date(Date.parse(week) + HOUR).toISOString())
    expect(sink.mails).toHaveLength(before + 1)
  }
})
