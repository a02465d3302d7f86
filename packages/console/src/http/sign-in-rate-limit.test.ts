import { expect, it } from 'vitest'
import { openSignInRateLimit } from './sign-in-rate-limit.ts'

const clock = { now: () => 1_700_000_000_000 }
const fails = () => Promise.resolve(undefined)
const works = () => Promise.resolve('session')

it('signatures that fail, from however many networks, hold back no password and no code', async () => {
  const { attempt } = openSignInRateLimit(clock)
  for (let n = 0; n < 60_000; n++) {
    const address = `2001:db8:${(n >> 12).toString(16)}:${(n & 0xfff).toString(16)}::1`
    await attempt('signature', { email: '', address }, fails).catch(() => undefined)
  }
  for (const what of ['password', 'code'] as const)
    expect(await attempt(what, { email: 'ann@example.com', address: '192.0.2.1' }, works)).toBe('session')
})

it('an account is known to the network from which it was opened, and to no other', async () => {
  const { attempt } = openSignInRateLimit(clock)
  const seen: boolean[] = []
  const look = (isKnown: boolean) => Promise.resolve(seen.push(isKnown))
  const who = { email: 'ann@example.com', address: '192.0.2.1' }
  await attempt('password', who, fails)
  for (const one of [who, who, { ...who, address: '192.0.2.2' }, { ...who, email: 'bea@example.com' }])
    await attempt('password', one, look)
  expect(seen).toEqual([false, true, false, false])
})

it('a recovery code, which nobody guesses, is taken while codes of the app are guessed', async () => {
  const { attempt } = openSignInRateLimit(clock)
  const email = 'ann@example.com'
  for (let n = 0; n < 30; n++) await attempt('code', { email, address: `192.0.2.${n >> 1}` }, fails)
  const elsewhere = { email, address: '198.51.100.1' }
  await expect(attempt('code', elsewhere, works)).rejects.toMatchObject({ code: 'too-many' })
  expect(await attempt('recovery', elsewhere, works)).toBe('session')
})
