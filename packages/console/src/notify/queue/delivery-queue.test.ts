// Days of alerts in milliseconds: the clock is the test's, the receiver a function.
import { describe, expect, it } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { addReceiver, raiseIncident, FLOCK } from '../../../test/raise-incident.ts'
import { openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { manualClock, type ManualClock } from '../../../test/manual-clock.ts'

const S = 1_000
const M = 60 * S
const H = 60 * M
const DAY = 24 * H
const STEPS = [5 * S, 5 * M, 30 * M, 2 * H, 5 * H, 10 * H, 14 * H, 20 * H, 24 * H, 24 * H, 24 * H]

interface Try {
  readonly at: number
  readonly url: string
  readonly id: string
  readonly json: Readonly<Record<string, unknown>>
}

type Answer = (sent: Try) => number | Partial<OutboundAnswer>

interface TestQueue {
  readonly rookery: TestConsole
  readonly clock: ManualClock
  readonly tries: Try[]
  answer(answerOf: Answer): void
  /** Turns the clock and waits until nothing more happens. */
  pass(ms: number): Promise<void>
  idle(): Promise<void>
}

const URL_A = 'https://a.example.com/'
const URL_B = 'https://b.example.com/'

async function openTestQueue(perMinute = 60): Promise<TestQueue> {
  const clock = manualClock()
  const tries: Try[] = []
  let answerOf: Answer = () => 200
  const outbound = {
    send({ url, headers, body }: OutboundRequest): Promise<OutboundAnswer> {
      const sent = {
        at: clock.now(),
        url,
        id: headers['webhook-id'] ?? '',
        json: JSON.parse(body ?? '{}') as Try['json'],
      }
      tries.push(sent)
      const answer = answerOf(sent)
      if (answer === 0) return Promise.reject(new Error('The connection was refused.'))
      return Promise.resolve({
        status: 200,
        headers: {},
        body: '',
        ...(typeof answer === 'number' ? { status: answer } : answer),
      })
    },
  }
  const rookery = await openTestConsole({
    world: { clock, outbound },
    parts: ['api'],
    alerting: { perMinute },
  })
  const idle = () => rookery.console.dispatcher.idle()
  return {
    rookery,
    clock,
    tries,
    idle,
    answer: (next) => void (answerOf = next),
    async pass(ms) {
      clock.advance(ms)
      await idle()
    },
  }
}

const raise = async (queue: TestQueue, count = 1): Promise<string[]> => {
  const raised: string[] = []
  for (let i = 0; i < count; i++) raised.push(await raiseIncident(queue.rookery))
  await queue.idle()
  return raised
}

const log = ({ rookery }: TestQueue) =>
  rookery.console.base.reader.selectFrom('delivery').selectAll().orderBy('delivery_id').execute()

describe('the schedule of retries', () => {
  it('is kept by a receiver that refuses, under one id, until it is switched off after five days', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    queue.answer(() => 0)
    await raise(queue)
    for (const step of STEPS.slice(0, 10)) await queue.pass(step * 1.2)
    const gaps = queue.tries.slice(1).map(({ at }, i) => at - (queue.tries[i]?.at ?? 0))
    gaps.forEach((gap, i) => {
      expect(gap).toBeGreaterThanOrEqual(STEPS[i] ?? 0)
      expect(gap).toBeLessThanOrEqual((STEPS[i] ?? 0) * 1.2)
    })
    expect(new Set(queue.tries.map(({ id }) => id)).size).toBe(1)
    expect(queue.tries.length).toBeGreaterThanOrEqual(10)
    for (let i = 0; i < 2; i++) await queue.pass(DAY * 1.2)
    const list = await queue.rookery.get('/flock/settings/webhooks/generic/list', { flock_id: FLOCK })
    expect(list.json).toMatchObject({
      generic_webhooks: [
        { disabled_reason: 'Every message failed for 5 days; the last time: The connection was refused.' },
      ],
    })
    const [delivery] = await log(queue)
    expect(delivery).toMatchObject({ state: 'failed' })
    const before = queue.tries.length
    await raise(queue)
    await queue.pass(10 * DAY)
    expect(queue.tries.length).toBe(before)
  })

  it('loses nothing of a day without the receiver: all come, in order, and others noticed nothing', async () => {
    const queue = await openTestQueue(Infinity)
    await addReceiver(queue.rookery, URL_A)
    await addReceiver(queue.rookery, URL_B)
    const failures: Answer[] = [() => 0, () => 500, () => 302, () => 429]
    let up = false
    queue.answer((sent) =>
      up || sent.url === URL_B ? 200 : (failures[queue.tries.length % 4] ?? (() => 0))(sent),
    )
    const raised: string[] = []
    for (let hour = 0; hour < 24; hour++) {
      raised.push(...(await raise(queue, 5)))
      await queue.pass(H)
    }
    const at = (url: string) => queue.tries.filter((it) => it.url === url)
    expect(at(URL_B).map(({ json }) => json['SourceIP'])).toEqual(raised)
    up = true
    const before = at(URL_A).length
    await queue.pass(DAY)
    const passed = at(URL_A).slice(before)
    expect(passed.map(({ json }) => json['SourceIP'])).toEqual(raised)
    const rows = await log(queue)
    expect(rows.every(({ state, reduced }) => state === 'delivered' && reduced === 0)).toBe(true)
    expect(new Set(queue.tries.map(({ id }) => id)).size).toBe(2 * raised.length)
  })
})

describe('a message that its receiver cannot take', () => {
  it('goes out reduced after three failures, and delays no other', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    let poison = ''
    queue.answer(({ json }) => (json['SourceIP'] === poison ? 400 : 200))
    poison = '10.66.66.66'
    await raiseIncident(queue.rookery, { srcHost: poison, fields: { PASSWORD: '<script>' } })
    const later = await raise(queue, 3)
    expect(queue.tries.map(({ json }) => json['SourceIP'])).toEqual([poison])
    await queue.pass(6 * S)
    await queue.pass(6 * M)
    const sent = queue.tries.map(({ json }) => json['SourceIP'])
    expect(sent.slice(0, 3)).toEqual([poison, poison, poison])
    expect(sent.slice(3).filter((source) => source !== undefined)).toEqual(later)
    const reduced = queue.tries.find(({ json }) => json['Reduced'] === true)
    expect(reduced?.id).toBe(queue.tries[0]?.id)
    expect(reduced?.json).toMatchObject({ IncidentHash: queue.tries[0]?.json['IncidentHash'], EventCount: 1 })
    expect(JSON.stringify(reduced?.json)).not.toMatch(/<script>|10\.66/)
    expect((await log(queue)).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
      'delivered',
    ])
  })

  it('keeps its own schedule when even that is refused, and is given up after five days; the receiver stays', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    let hash: unknown
    queue.answer(({ json }) => {
      hash ??= json['IncidentHash']
      return json['IncidentHash'] === hash ? 500 : 200
    })
    await raise(queue, 2)
    for (let i = 0; i < 40; i++) {
      await queue.pass(4 * H)
      await raise(queue)
    }
    const rows = await log(queue)
    expect(rows[0]).toMatchObject({ state: 'failed', reduced: 1 })
    expect(rows[0]?.attempts).toBeGreaterThanOrEqual(10)
    expect(rows.slice(1).every(({ state }) => state === 'delivered')).toBe(true)
  })

  it('is found among several: two bad ones go apart, all others arrive', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    queue.answer(({ json }) => (String(json['SourceIP']).startsWith('10.66.') ? 400 : 200))
    await raiseIncident(queue.rookery, { srcHost: '10.66.0.1' })
    await raiseIncident(queue.rookery, { srcHost: '10.66.0.2' })
    const later = await raise(queue, 2)
    for (const step of STEPS.slice(0, 6)) await queue.pass(step * 1.2)
    const passed = queue.tries
      .map(({ json }) => json['SourceIP'])
      .filter((source) => later.includes(String(source)))
    expect(new Set(passed)).toEqual(new Set(later))
    expect((await log(queue)).map(({ state, reduced }) => `${state} ${reduced}`)).toEqual([
      'delivered 1',
      'delivered 1',
      'delivered 0',
      'delivered 0',
    ])
  })
})

describe('too many alerts', () => {
  it('are sixty a minute and one digest, which counts and marks them all as notified', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    await raise(queue, 150)
    expect(queue.tries).toHaveLength(60)
    await queue.pass(59 * S)
    expect(queue.tries).toHaveLength(60)
    await queue.pass(2 * S)
    expect(queue.tries).toHaveLength(61)
    expect(queue.tries.at(-1)?.json).toMatchObject({
      AlertType: 'IncidentDigest',
      IncidentCount: 90,
      EventCount: 90,
      AdditionalDetails: [['SSH Login Attempt (bird-1)', '90']],
    })
    const incidents = await queue.rookery.console.base.reader
      .selectFrom('incident')
      .select('notified')
      .execute()
    expect(incidents.filter(({ notified }) => notified === 1)).toHaveLength(150)
    const [next] = await raise(queue)
    expect(queue.tries.at(-1)?.json['SourceIP']).toBe(next)
  })
})

describe('a Bird’s backlog', () => {
  const backlog = async (
    { rookery, clock }: TestQueue,
    nodeId: string,
    count: number,
    from = 1,
  ): Promise<void> => {
    await rookery.console.ingest.fromBird({
      nodeId,
      spoolId: 'spool',
      receivedAt: clock.now(),
      events: Array.from({ length: count }, (_, i) => ({
        seq: from + i,
        touch: {
          nodeId,
          logtype: '4002',
          instance: 'ssh',
          at: clock.now() - H,
          srcHost: `10.77.0.${from + i}`,
          srcPort: 1,
          dstHost: '10.0.0.5',
          dstPort: 22,
          fields: {},
        },
      })),
    })
  }

  const registerBird = ({ rookery }: TestQueue, nodeId: string): Promise<void> =>
    rookery.console.base.writer.write((tx) =>
      tx.insertMany('bird', [
        {
          node_id: nodeId,
          public_key: nodeId,
          device_id_hash: nodeId,
          state: 'registered',
          flock_id: FLOCK,
          name: `bird ${nodeId.slice(0, 2)}`,
          first_seen_at: 0,
          queued_at: 0,
          last_seen_at: 0,
          updated_at: 0,
        },
      ]),
    )

  it('older than 15 minutes is one summary for each Bird, however many batches it takes; live alerts do not wait', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    const [one, two] = ['a'.repeat(16), 'b'.repeat(16)]
    await registerBird(queue, one)
    await registerBird(queue, two)
    await backlog(queue, one, 20)
    await backlog(queue, two, 1)
    const [live] = await raise(queue)
    expect(queue.tries.map(({ json }) => json['SourceIP'])).toEqual([live])
    await queue.pass(4 * S)
    await backlog(queue, one, 10, 21)
    await queue.pass(4 * S)
    await queue.pass(4 * S)
    const summaries = queue.tries
      .slice(1)
      .map(({ json }) => [json['AlertType'], json['BirdID'], json['IncidentCount']])
    expect(summaries.sort()).toEqual([
      ['BacklogSummary', one, 30],
      ['BacklogSummary', two, 1],
    ])
    const incidents = await queue.rookery.console.base.reader
      .selectFrom('incident')
      .select('notified')
      .execute()
    expect(incidents.every(({ notified }) => notified === 1)).toBe(true)
  })
})

describe('the log of deliveries', () => {
  it('is kept for 90 days', async () => {
    const queue = await openTestQueue()
    await addReceiver(queue.rookery, URL_A)
    await raise(queue, 3)
    await queue.pass(89 * DAY)
    await raise(queue)
    expect(await log(queue)).toHaveLength(4)
    await queue.pass(2 * DAY)
    // The look of every ten minutes has slept through two days at once.
    await queue.pass(H)
    await expect.poll(() => log(queue)).toHaveLength(1)
  })
})
