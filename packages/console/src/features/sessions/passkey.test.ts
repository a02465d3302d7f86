import { describe, expect, it } from 'vitest'
import { makePasskey, signWith } from '../../../test/authenticator.ts'
import {
  addApp,
  addPasskey,
  atName,
  openWithAnn,
  optionsOf,
  originOf,
  reads,
  usePasskey,
} from '../../../test/factors.ts'
import { addPerson, ANN, askAs, PASSWORD, signIn, type Halves } from '../../../test/person.ts'
import { engines } from '../../../test/test-console.ts'

const MINUTE_MS = 60_000
const BEA = 'bea@example.com'

describe.each(engines)('a passkey (%s)', (engine) => {
  it('a passkey signs in alone, and is a second step after the password', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { passkey, codes } = await addPasskey(rookery, halves)
    expect([passkey.rpId, codes.length]).toEqual(['localhost', 10])
    const alone = await usePasskey(rookery, passkey)
    expect([alone.status, alone.json['needs_factor'], await reads(rookery, alone.halves)]).toEqual([
      200,
      false,
      200,
    ])
    clock.advance(1)
    const { halves: pending } = await askAs(
      rookery,
      {},
      'POST',
      '/session/password',
      { email: ANN, password: PASSWORD },
      atName(rookery),
    )
    expect(
      (await askAs(rookery, pending, 'GET', '/session', {}, { Host: atName(rookery).Host })).json['ways'],
    ).toEqual(['passkey', 'recovery'])
    const opened = await usePasskey(rookery, passkey, pending)
    expect([opened.status, await reads(rookery, pending), await reads(rookery, opened.halves)]).toEqual([
      200, 401, 200,
    ])
    const { user } = await rookery.api.users.read({ email: ANN })
    expect(user).toMatchObject({ webauthn_enabled: true, webauthn_credential: passkey.id })
  })

  it('a passkey counts at its own origin alone, with a challenge of this console, once', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { passkey } = await addPasskey(rookery, halves)
    clock.advance(1)
    const origin = originOf(rookery)
    const verify = (response: string, who: Halves = {}, headers = atName(rookery)) =>
      askAs(rookery, who, 'POST', '/session/passkey/verify', { response }, headers)
    const options = await optionsOf(rookery, {}, '/session/passkey/options')
    const good = signWith(passkey, options, origin)
    const { passkey: stranger } = makePasskey({ ...options, rp: { id: 'localhost' } }, origin)
    // Of now, with a MAC of nobody.
    const bytes = Buffer.alloc(54)
    bytes.writeUIntBE(clock.now(), 16, 6)
    const forged = { ...options, challenge: bytes.toString('base64url') }
    const elsewhere = { Host: 'rookery.localhost:1', Origin: 'http://rookery.localhost:1' }
    for (const [what, answer] of [
      [
        'a page of another site',
        await verify(signWith(passkey, options, 'https://localhost.evil.example.org')),
      ],
      ['another port of the host', await verify(signWith(passkey, options, 'http://localhost:1'))],
      ['another RP id', await verify(signWith({ ...passkey, rpId: 'evil.example.org' }, options, origin))],
      ['another name of the console', await verify(good, {}, elsewhere)],
      ['a key of nobody', await verify(signWith(stranger, options, origin))],
      [
        'the key of another under this id',
        await verify(signWith({ ...passkey, key: stranger.key }, options, origin)),
      ],
      ['a challenge that is not ours', await verify(signWith(passkey, forged, origin))],
      ['no JSON of an authenticator', await verify('{"id":7}')],
    ] as const)
      expect([what, answer.status, answer.headers.get('set-cookie')]).toEqual([what, 401, null])
    clock.advance(10 * MINUTE_MS)
    expect((await verify(good)).status).toBe(401)
    const late = await optionsOf(rookery, {}, '/session/passkey/options')
    const once = signWith(passkey, late, origin)
    const both = await Promise.all([verify(once), verify(once)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await verify(once)).status).toBe(401)
    // One that was made to register is not taken to sign in.
    clock.advance(1)
    const own = both.find(({ status }) => status === 200)?.halves ?? {}
    const making = await optionsOf(rookery, own, '/me/passkeys/options')
    expect((await verify(signWith(passkey, making, origin))).status).toBe(401)
  })

  it('a passkey whose counter does not grow is a copy, and does not count', async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    const { passkey } = await addPasskey(rookery, halves)
    /** Each over a challenge of its own, all at once. */
    const verify = async (...counters: readonly number[]): Promise<number[]> => {
      const responses: string[] = []
      for (const counter of counters) {
        clock.advance(1)
        const options = await optionsOf(rookery, {}, '/session/passkey/options')
        responses.push(signWith(passkey, options, originOf(rookery), counter))
      }
      const answers = await Promise.all(
        responses.map((response) =>
          askAs(rookery, {}, 'POST', '/session/passkey/verify', { response }, atName(rookery)),
        ),
      )
      return answers.map(({ status }) => status).toSorted()
    }
    // One that does not count says 0 always.
    expect([await verify(0), await verify(0), await verify(5)]).toEqual([[200], [200], [200]])
    for (const counter of [5, 4, 0]) expect([counter, await verify(counter)]).toEqual([counter, [401]])
    expect(await verify(6, 6)).toEqual([200, 401])
  })

  it('a passkey is made at a name, not at an address, and for its person alone', async () => {
    const { rookery, halves } = await openWithAnn(engine)
    const at = await askAs(rookery, halves, 'POST', '/me/passkeys/options')
    expect([at.status, at.json['message']]).toEqual([
      400,
      expect.stringContaining('Open this console by name'),
    ])
    expect((await askAs(rookery, {}, 'GET', '/session')).json['ways']).toEqual(['password'])
    await addPerson(rookery, BEA)
    const bea = (await signIn(rookery, { email: BEA })).halves
    const options = await optionsOf(rookery, halves, '/me/passkeys/options')
    const { response } = makePasskey(options, originOf(rookery))
    const add = (who: Halves, given = response) =>
      askAs(rookery, who, 'POST', '/me/passkeys/add', { response: given, name: 'Laptop' }, atName(rookery))
    expect((await add(bea)).status).toBe(400)
    const foreign = makePasskey(options, 'https://evil.example.org').response
    expect((await add(halves, foreign)).status).toBe(400)
    expect([(await add(halves)).status, (await add(halves)).status]).toEqual([200, 409])
  })

  it("the second step is the person's own: another one's passkey does not open it", async () => {
    const { clock, rookery, halves } = await openWithAnn(engine)
    await addApp(rookery, halves)
    await addPerson(rookery, BEA)
    const { passkey } = await addPasskey(rookery, (await signIn(rookery, { email: BEA })).halves)
    clock.advance(1)
    const pending = (await signIn(rookery)).halves
    const options = await optionsOf(rookery, {}, '/session/passkey/options')
    const response = signWith(passkey, options, originOf(rookery))
    const answer = await askAs(
      rookery,
      pending,
      'POST',
      '/session/passkey/verify',
      { response },
      atName(rookery),
    )
    expect(answer.status).toBe(401)
    expect(await reads(rookery, pending)).toBe(401)
  })
})
