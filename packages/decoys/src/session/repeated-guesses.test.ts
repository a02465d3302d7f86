import { describe, expect, it } from 'vitest'
import { repeatedGuesses } from './repeated-guesses.ts'

describe('credentials whose answer our close cut off', () => {
  it('count once when the tool repeats them, and again when it tries them anew', () => {
    const guesses = repeatedGuesses()
    guesses.remember('192.0.2.1', ['root', 'toor'], 0)
    expect(guesses.consumeRepeat('192.0.2.1', ['root', 'toor'], 5_000)).toBe(true)
    expect(guesses.consumeRepeat('192.0.2.1', ['root', 'toor'], 5_001)).toBe(false)
  })

  it('count again from another source, with another password, or after a minute', () => {
    const guesses = repeatedGuesses()
    guesses.remember('192.0.2.1', ['root', 'toor'], 0)
    expect(guesses.consumeRepeat('192.0.2.2', ['root', 'toor'], 1)).toBe(false)
    expect(guesses.consumeRepeat('192.0.2.1', ['root', 'other'], 1)).toBe(false)
    expect(guesses.consumeRepeat('192.0.2.1', ['root', 'toor'], 60_001)).toBe(false)
  })
})
