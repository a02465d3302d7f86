import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { openAuthRateLimit } from './auth-rate-limit.ts'

function openLimited() {
  let now = 1_000_000
  const guessing: [string, number][] = []
  const limit = openAuthRateLimit({ now: () => now, after: () => () => undefined }, (...it) =>
    guessing.push(it),
  )
  const guess = (address: string): Fault | undefined => {
    try {
      limit.count(address)
      return undefined
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
  }
  return { guess, guessing, pass: (ms: number) => (now += ms) }
}

describe('guessing keys', () => {
  it('is refused after 20 a minute, with the time to wait', () => {
    const { guess, pass } = openLimited()
    for (let n = 0; n < 20; n++) expect(guess('192.0.2.7')).toBeUndefined()
    pass(15_000)
    expect(guess('192.0.2.7')).toMatchObject({ code: 'too-many', retryAfterS: 45 })
    pass(45_000)
    expect(guess('192.0.2.7')).toBeUndefined()
  })

  it('is reported once for the minute of a source', () => {
    const { guess, guessing, pass } = openLimited()
    for (let n = 0; n < 19; n++) guess('192.0.2.7')
    expect(guessing).toEqual([])
    for (let n = 0; n < 50; n++) guess('192.0.2.7')
    expect(guessing).toEqual([['192.0.2.7', 20]])
    pass(60_000)
    for (let n = 0; n < 20; n++) guess('192.0.2.7')
    expect(guessing).toHaveLength(2)
  })

  it('from one address does not limit another', () => {
    const { guess } = openLimited()
    for (let n = 0; n < 30; n++) guess('192.0.2.7')
    expect(guess('192.0.2.8')).toBeUndefined()
  })

  it('from an IPv6 /64 counts as one source', () => {
    const { guess } = openLimited()
    for (let n = 0; n < 20; n++) expect(guess(`2001:db8:0:1::${n.toString(16)}`)).toBeUndefined()
    expect(guess('2001:db8:0:1:ffff::1')).toMatchObject({ code: 'too-many' })
    expect(guess('2001:db8:0:2::1')).toBeUndefined()
  })
})
