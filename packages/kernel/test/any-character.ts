// Any character but half of a pair, for `fc.string({ unit: anyCharacter })`: fast-check's own unit `binary` makes a table of all
// million of them first, 0.6 s of a core and 100 MB.
import fc from 'fast-check'

const SURROGATES = 0xd800
const SURROGATE_COUNT = 0x800
const LAST = 0x10_ffff

export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: LAST - SURROGATE_COUNT }).map(
  (n) => String.fromCodePoint(n < SURROGATES ? n : n + SURROGATE_COUNT),
  (character) => {
    const [only, ...more] = typeof character === 'string' ? [...character] : []
    const point = more.length === 0 ? only?.codePointAt(0) : undefined
    if (point === undefined) throw new Error('This is no character.')
    return point < SURROGATES ? point : point - SURROGATE_COUNT
  },
)
