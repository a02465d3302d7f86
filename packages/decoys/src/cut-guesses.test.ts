import { describe, expect, it } from 'vitest'
import { openCutGuesses } from './cut-guesses.ts'

describe('a guess that our close cut off', () => {
  it('counts once when its tool repeats it, and again when it is tried anew', () => {
    const guesses = openCutGuesses()
    guesses.cut('192.0.2.1', ['root', 'toor'], 0)
    expect(guesses.isRepeat('192.0.2.1', ['root', 'toor'], 5_000)).toBe(true)
    expect(guesses.isRepeat('192.0.2.1', ['root', 'toor'], 5_001)).toBe(false)
  })

  it('is another guess from elsewhere, with other words, or after a minute', () => {
    const guesses = openCutGuesses()
    guesses.cut('192.0.2.1', ['root', 'toor'], 0)
    expect(guesses.isRepeat('192.0.2.2', ['root', 'toor'], 1)).toBe(false)
    expect(guesses.isRepeat('192.0.2.1', ['root', 'other'], 1)).toBe(false)
    expect(guesses.isRepeat('192.0.2.1', ['root', 'toor'], 60_001)).toBe(false)
  })
})
