import { describe, expect, it, onTestFinished } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import {
  ADMIN,
  engines,
  freshDatabase,
  openTestConsole,
  type TestConsole,
} from '../../../test/test-console.ts'
import { addPerson, signIn } from '../../../test/person.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { sshLogin, subject } from '../../../test/touches.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import { startSession } from '../../http/start-session.ts'
import { changeUser, findUser } from '../../stores/users/store.ts'
import { createUser } from '../../stores/users/create.ts'

interface Stream {
  /** The next block; undefined at a clean end. A cut rejects. */
  next(): Promise<string | undefined>
  leave(): void
}

async function listen(
  rookery: TestConsole,
  headers: Record<string, string> = { 'X-Auth-Token': ADMIN },
): Promise<Stream> {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const response = await fetch(`${rookery.console.apiUrl}/api/v1/live`, { headers, signal: gone.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const stream: Stream = {
    async next() {
      while (!text.includes('\n\n')) {
        const piece = await reader?.read()
        if (!piece || piece.done) return undefined
        text += piece.value
      }
      const [first = '', ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      return first
    },
    leave: () => gone.abort(),
  }
  expect(await stream.next()).toBe(': live')
  return stream
}

const rows = ({ api }: TestConsole) => api.incidentViews.rows({})

/** Whether the block says so, whatever else it says. */
const says = (block: string | undefined, updatedId: number): boolean =>
  block?.startsWith(`event: changed\ndata: {"incidents":${updatedId}`) ?? false

/** The end of a stream, once what people changed before it has rung. */
async function endOf(stream: { next(): Promise<string | undefined> }): Promise<string | undefined> {
  let block = await stream.next()
  while (block?.startsWith('event: changed\ndata: {"changes"')) block = await stream.next()
  return block
}

/** Advances the clock in steps until it is done; between two steps what waits for the database goes on. */
async function pass(clock: { advance(ms: number): void }, isDone: () => boolean, ms = 50): Promise<void> {
  while (!isDone()) {
    clock.advance(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe.each(engines)('the live stream on %s', (engine) => {
  it('rings when an incident is raised, acknowledged, commented on and deleted', async () => {
    const rookery = await openTestConsole({ engine })
    const stream = await listen(rookery)
    await rookery.console.ingest.fromConsole(sshLogin())
    const expectRing = async (): Promise<void> => {
      const { max_updated_id } = await rows(rookery)
      // A ring may come while several changes are being committed.
      for (let block = await stream.next(); !says(block, max_updated_id); block = await stream.next())
        expect(block).toMatch(/^event: changed\n/)
    }
    await expectRing()
    const incident = (await rows(rookery)).rows[0]?.key ?? ''
    await rookery.api.incidentActions.acknowledge({ incident })
    await expectRing()
    await rookery.api.incidentActions.comment({ incident, comment: 'x' })
    await expectRing()
    await rookery.api.incidentActions.remove({ incident })
    await expectRing()
  })

  it('rings for a key of one Flock only when something in that Flock changed', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
    const { key, keyId } = await flockKey(rookery, flock_id)
    const limited = await listen(rookery, { 'X-Auth-Token': key })
    const whole = await listen(rookery)
    await rookery.console.ingest.fromConsole(sshLogin())
    const first = await whole.next()
    expect(first).toMatch(/^event: changed/)
    await rookery.console.ingest.fromConsole({
      ...sshLogin({ srcHost: '192.0.2.99' }),
      subject: { ...subject, flockId: flock_id },
    })
    const second = await limited.next()
    expect(second).toMatch(/^event: changed/)
    expect(second).not.toBe(first)
    await rookery.api.apiKeys.remove({ key_id: keyId })
    let block = await limited.next()
    while (block?.startsWith('event: changed')) block = await limited.next()
    expect([block, await limited.next()]).toEqual(['event: signed-out\ndata: {}', undefined])
  })

  it('rings for what somebody changed in the Flocks in reach, and for what concerns none of them not', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
    const { key } = await flockKey(rookery, flock_id)
    const limited = await listen(rookery, { 'X-Auth-Token': key })
    const whole = await listen(rookery)
    await rookery.api.apiKeys.add({ auth_token_type: 'read-only', note: 'Dashboard' })
    const changeIn = (block: string | undefined) => Number(/"changes":(\d+)\}$/.exec(block ?? '')?.[1] ?? 0)
    const next = async (stream: Stream): Promise<number> => changeIn(await stream.next()) || next(stream)
    const elsewhere = await next(whole)
    await rookery.api.flocks.rename({ flock_id, name: 'Works' })
    const here = await next(limited)
    expect(here).toBeGreaterThan(elsewhere)
    while ((await next(whole)) !== here);
  })

  it('ends with signed-out when the session ends or the person is disabled', async () => {
    const rookery = await openTestConsole({ engine })
    const { base } = rookery.console
    const openSession = async (email: string): Promise<Record<string, string>> => {
      const { cookie, page } = await base.writer.write(async (tx) => {
        const user = await findUser(tx.query, email)
        return startSession(tx, base.world, user ?? { user_id: '' }, {
          address: '127.0.0.1',
          userAgent: 'test',
        })
      })
      return { Cookie: `${SESSION_COOKIE}=${cookie}`, 'X-Rookery-Page': page }
    }
    await base.writer.write((tx) =>
      createUser(tx, base.world, { email: 'ann@example.com', access_level: 'admin' }),
    )
    const one = await openSession('ann@example.com')
    const stream = await listen(rookery, one)
    const other = await listen(rookery, await openSession('ann@example.com'))
    const ended = await fetch(`${rookery.console.apiUrl}/api/v1/session/end`, {
      method: 'POST',
      headers: one,
    })
    expect(ended.status).toBe(200)
    expect([await endOf(stream), await stream.next()]).toEqual(['event: signed-out\ndata: {}', undefined])
    await base.writer.write(async (tx) => {
      const user = await findUser(tx.query, 'ann@example.com')
      await changeUser(tx.query, user?.user_id ?? '', { disabled: 1 })
    })
    expect([await endOf(other), await other.next()]).toEqual(['event: signed-out\ndata: {}', undefined])
  })

  it('rings for a person only in their Flocks, and no more where a role or being an admin was taken away', async () => {
    const rookery = await openTestConsole({ engine })
    const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
    const email = 'bea@example.com'
    await addPerson(rookery, email, { access_level: 'user' })
    await rookery.api.users.assign({ email, flock_id, role: 'watcher' })
    await addPerson(rookery, 'cem@example.com', { access_level: 'user' })
    for (const admin of ['dana@example.com', 'last@example.com']) await addPerson(rookery, admin)
    const listenAs = async (who: string): Promise<Stream> => {
      const { halves } = await signIn(rookery, { email: who })
      return listen(rookery, {
        Cookie: `${SESSION_COOKIE}=${halves.cookie ?? ''}`,
        'X-Rookery-Page': halves.page ?? '',
      })
    }
    const bea = await listenAs(email)
    const cem = await listenAs('cem@example.com')
    const dana = await listenAs('dana@example.com')
    const whole = await listen(rookery)
    const touch = (flockId: string, srcHost: string) =>
      rookery.console.ingest.fromConsole({ ...sshLogin({ srcHost }), subject: { ...subject, flockId } })
    await touch('flock:default', '192.0.2.98')
    const foreign = await whole.next()
    await touch(flock_id, '192.0.2.99')
    const own = await bea.next()
    expect(own).toMatch(/^event: changed/)
    expect(own).not.toBe(foreign)
    // All are looked at together: once the other one is out, her role has been read anew.
    await rookery.api.users.unassign({ email, flock_id })
    await rookery.api.users.assign({ email: 'dana@example.com', flock_id, role: 'watcher' })
    await rookery.api.users.update({ email: 'dana@example.com', access_level: 'user' })
    await rookery.api.users.disable({ email: 'cem@example.com' })
    expect(await endOf(cem)).toBe('event: signed-out\ndata: {}')
    await touch(flock_id, '192.0.2.97')
    await whole.next()
    await touch('flock:default', '192.0.2.96')
    const hidden = (await rows(rookery)).max_updated_id
    while (!says(await whole.next(), hidden));
    await rookery.api.users.disable({ email: 'dana@example.com' })
    const heard: (string | undefined)[] = []
    while (!heard.at(-1)?.startsWith('event: signed-out')) heard.push(await dana.next())
    expect([heard.length > 1, heard.some((block) => says(block, hidden))]).toEqual([true, false])
    await rookery.api.users.disable({ email })
    expect(await endOf(bea)).toBe('event: signed-out\ndata: {}')
  })

  it('rings at most four times a second, and has a heartbeat after 15 s of silence', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const stream = await listen(rookery)
    const blocks: string[] = []
    const reading = (async () => {
      for (let block = await stream.next(); block !== undefined; block = await stream.next())
        blocks.push(block)
    })()
    const start = clock.now()
    let n = 0
    while (blocks.length < 6) {
      await rookery.console.ingest.fromConsole(sshLogin({ srcHost: `10.0.0.${n++ % 200}` }, clock.now()))
      await pass(clock, () => true)
      clock.advance(40)
    }
    expect(blocks.every((block) => block.startsWith('event: changed'))).toBe(true)
    expect(blocks.length).toBeLessThanOrEqual(1 + (clock.now() - start) / 250)
    const quietFrom = clock.now()
    const beats = (): number => blocks.filter((block) => block === ': heartbeat').length
    await pass(clock, () => beats() === 2)
    expect(clock.now() - quietFrom).toBeGreaterThan(28_000)
    stream.leave()
    await reading.catch(() => undefined)
  })

  it('ends cleanly, without a cut, when the console stops', async () => {
    const rookery = await openTestConsole({ engine })
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(rookery)))
    const ends = Promise.all(streams.map((stream) => stream.next()))
    await rookery.console.stop()
    expect(await ends).toEqual(streams.map(() => undefined))
  })
})

it('rings on one console when another on the same database changed something', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const one = await openTestConsole({ env })
  const other = await openTestConsole({ env })
  const stream = await listen(one)
  await other.console.ingest.fromConsole(sshLogin())
  expect(await stream.next()).toMatch(/^event: changed/)
})

it('a reader that leaves frees its place among the 1,000', async () => {
  const rookery = await openTestConsole({ engine: 'sqlite' })
  const { liveRoutes } = await import('./routes.ts')
  const { base } = rookery.console
  const [route] = liveRoutes(base)
  const open = async () =>
    (await route?.handle({}, { caller: { scope: 'all', keyId: 'x', person: undefined } } as never)) as {
      leave(): void
    }
  const streams = await Promise.all(Array.from({ length: 1_000 }, open))
  await expect(async () => open()).rejects.toThrow(
    '1000 live streams are open already; ask every 5 s instead.',
  )
  streams[7]?.leave()
  streams[7]?.leave()
  const again = await open()
  await expect(async () => open()).rejects.toThrow(/open already/)
  for (const stream of [...streams, again]) stream.leave()
})
