// What counts once counts once, and what is taken away is gone, also of calls that are under way at that moment.
import { describe, expect, it } from 'vitest'
import { addApp, codeAt, give, openWithAnn, reads } from '../../../test/factors.ts'
import { addPerson, ANN, askAs, PASSWORD, signIn } from '../../../test/person.ts'
import { engines, sharedTestConsole, type TestConsole } from '../../../test/test-console.ts'

const MINUTE_MS = 60_000
const NEW = 'heron under the lighthouse'
const OTHER = 'plover behind the dunes'
const twenty = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, n) => work(n)))
const successes = (answers: readonly { readonly status: number }[]): number =>
  answers.filter(({ status }) => status === 200).length

/** Runs calls one behind the other while nothing is committed; then all are, in the order in which they came. */
async function whileNothingIsCommitted<T>(
  rookery: TestConsole,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const held = rookery.console.base.writer.write(() => gate)
  const answers: Promise<T>[] = []
  for (const call of calls) {
    answers.push(call())
    // Each has read what it reads, and waits for the writer.
    for (let n = 0; n < 20; n++) await rookery.get('/ping')
  }
  open()
  await held
  return Promise.all(answers)
}

describe.each(engines)('twenty at once (%s)', (engine) => {
  it('of a step, of a recovery code and of a reset link: one gets it', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { secret, codes } = await addApp(rookery, halves)
    for (const [path, code] of [
      ['totp', codeAt(rookery, secret)],
      ['recovery', codes[0] ?? ''],
    ] as const) {
      const pending = await Promise.all([1, 2, 3, 4].map(() => signIn(rookery)))
      // Nine are looked at: the tenth failure would hold the others back.
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, n) => give(rookery, pending[n % 4]?.halves ?? {}, path, code)),
      )
      expect([path, successes(answers)]).toEqual([path, 1])
    }
    const { url } = await rookery.api.users.resetLink({ email: ANN })
    const code = new URL(url).hash.slice(1)
    const used = await twenty((n) =>
      askAs(rookery, {}, 'POST', '/ticket/use', { code, password: `${NEW} ${n}` }),
    )
    expect([successes(used), new Set(used.map(({ status }) => status))]).toEqual([1, new Set([200, 404])])
    const winner = used.findIndex(({ status }) => status === 200)
    clock.advance(10 * MINUTE_MS + 1)
    const opens = await Promise.all(
      [winner, (winner + 1) % 20].map((n) => signIn(rookery, { password: `${NEW} ${n}` })),
    )
    expect(opens.map(({ status }) => status)).toEqual([200, 401])
  })
})

describe.each(engines)('a password that is replaced (%s)', (engine) => {
  const rookery = sharedTestConsole({ engine })

  it('opens no session to who gave it a moment before', async () => {
    const email = 'bea@example.com'
    await addPerson(rookery, email)
    const [changed, signed] = await whileNothingIsCommitted<{ status: number; halves?: object }>(rookery, [
      () => rookery.post('/user/update', { email, password: NEW }),
      () => signIn(rookery, { email }),
    ])
    expect(changed?.status).toBe(200)
    expect([signed?.status, await reads(rookery, signed?.halves ?? {})]).toEqual([401, 401])
  })

  it('is not replaced once more by who knew the one before', async () => {
    const email = 'cem@example.com'
    await addPerson(rookery, email)
    const { halves } = await signIn(rookery, { email })
    const [changed, own] = await whileNothingIsCommitted<{ status: number }>(rookery, [
      () => rookery.post('/user/update', { email, password: NEW }),
      () => askAs(rookery, halves, 'POST', '/me/password', { password: PASSWORD, new_password: OTHER }),
    ])
    expect([changed?.status, own?.status]).toEqual([200, 400])
    expect((await signIn(rookery, { email, password: OTHER })).status).toBe(401)
    expect((await signIn(rookery, { email, password: NEW })).status).toBe(200)
  })

  it('of who is disabled opens nothing either once they are enabled again', async () => {
    const email = 'dana@example.com'
    await addPerson(rookery, email)
    const [disabled, signed] = await whileNothingIsCommitted<{ status: number; halves?: object }>(rookery, [
      () => rookery.post('/user/disable', { email }),
      () => signIn(rookery, { email }),
    ])
    await rookery.post('/user/enable', { email })
    expect([disabled?.status, signed?.status, await reads(rookery, signed?.halves ?? {})]).toEqual([
      200, 401, 401,
    ])
  })
})
