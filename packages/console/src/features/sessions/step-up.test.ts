import { describe, expect, it } from 'vitest'
import { addApp, addPasskey, codeAt, openWithAnn, reads, trail, usePasskey } from '../../../test/factors.ts'
import { ANN, askAs, PASSWORD, signIn, type Halves } from '../../../test/person.ts'
import { engines, type TestConsole } from '../../../test/test-console.ts'

const MINUTE_MS = 60_000

describe.each(engines)('proving again who one is (%s)', (engine) => {
  const key = { auth_token_type: 'read-only', note: 'n' }
  const guarded = (rookery: TestConsole, halves: Halves) =>
    askAs(rookery, halves, 'POST', '/auth_token/add', key)
  const stepUp = (rookery: TestConsole, halves: Halves, params: Record<string, string>) =>
    askAs(rookery, halves, 'POST', '/session/step_up', params)

  it('is asked for ten minutes after the last time, by the error step-up, and brings new halves', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { secret, codes } = await addApp(rookery, halves)
    expect((await guarded(rookery, halves)).status).toBe(200)
    clock.advance(10 * MINUTE_MS + 1)
    const late = await guarded(rookery, halves)
    expect([late.status, late.json['error']]).toEqual([403, 'step-up'])
    expect(await reads(rookery, halves)).toBe(200)
    // A key is asked for nothing.
    expect((await rookery.post('/auth_token/add', key)).status).toBe(200)
    for (const wrong of [
      { password: 'plover behind the dunes' },
      { code: '000000' },
      { recovery_code: 'no' },
    ])
      expect((await stepUp(rookery, halves, wrong)).status).toBe(401)
    expect((await stepUp(rookery, halves, {})).status).toBe(400)
    expect((await stepUp(rookery, halves, { code: '1', password: PASSWORD })).status).toBe(400)
    expect((await guarded(rookery, halves)).status).toBe(403)

    let own = halves
    for (const right of [
      () => ({ password: PASSWORD }),
      () => ({ code: codeAt(rookery, secret) }),
      () => ({ recovery_code: codes[0] ?? '' }),
    ]) {
      const proved = await stepUp(rookery, own, right())
      expect([proved.status, await reads(rookery, own)]).toEqual([200, 401])
      expect((await guarded(rookery, proved.halves)).status).toBe(200)
      own = proved.halves
      clock.advance(10 * MINUTE_MS + 1)
      expect((await guarded(rookery, own)).status).toBe(403)
    }
    expect((await trail(rookery)).slice(0, 2)).toEqual([
      expect.stringMatching(/^ann@example\.com: Create an API key: /) as string,
      `${ANN}: Proved again who they are, with a recovery code.`,
    ])
  })

  it('is of the session that proved it: neither another one nor the halves before count', async () => {
    const { clock, rookery, halves: one } = await openWithAnn(engine)
    const { halves: other } = await signIn(rookery)
    clock.advance(10 * MINUTE_MS + 1)
    const { halves: proved } = await stepUp(rookery, one, { password: PASSWORD })
    const answers = await Promise.all(
      [proved, one, other, { ...proved, page: other.page }, { ...other, page: proved.page }].map((halves) =>
        guarded(rookery, halves),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 401, 401])
  })

  it('a passkey is a proof as well', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { passkey } = await addPasskey(rookery, halves)
    clock.advance(10 * MINUTE_MS + 1)
    expect((await guarded(rookery, halves)).status).toBe(403)
    const proved = await usePasskey(rookery, passkey, halves)
    expect([proved.status, (await guarded(rookery, proved.halves)).status]).toEqual([200, 200])
    expect((await trail(rookery))[1]).toBe(`${ANN}: Proved again who they are, with a passkey.`)
  })

  it('tries of it are counted with those of signing in', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    const wrong = () => stepUp(rookery, halves, { password: 'plover behind the dunes' })
    const tries = await Promise.all(Array.from({ length: 12 }, wrong))
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2)
    expect((await signIn(rookery)).status).toBe(429)
    const change = { password: 'plover behind the dunes', new_password: 'x' }
    expect((await askAs(rookery, halves, 'POST', '/me/password', change)).status).toBe(429)
  })
})
