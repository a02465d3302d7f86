// Searches many 20-byte inputs for one whose SHA-1 behind a salt ends as expected: four at a time, by vectors of
// WebAssembly (its core specification, 5.4 for the opcodes; FIPS 180-4, 6.1 for SHA-1). Each login of a client asks for it.
import { hash } from 'node:crypto'

/** As far as it is used here: the types of Node have none of it. */
interface Compiler {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, Find> }
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Compiler }

/** The place of the first group from `at` on with a candidate that may be right, or `end`. */
type Find = (at: number, end: number, ...words: number[]) => number

export interface Candidates {
  /** What the hash is combined with, by XOR: 20 bytes each, one behind another. */
  readonly masks: Buffer
  /** 20 bytes each, one behind another. */
  readonly inputs: Buffer
}

/** The index of the candidate with `SHA1(salt ‖ input) XOR mask = wanted`; undefined if there is none. Both take 20 bytes. */
export type Search = (salt: Buffer, wanted: Buffer) => number | undefined

const WORDS = 5
const BYTES = 4 * WORDS
const LANES = 4
/** Of a group: five words of the inputs, and the last of the masks. */
const GROUP_BYTES = 16 * (WORDS + 1)
const PAGE_BYTES = 65_536

export function sha1Search({ masks, inputs }: Candidates): Search {
  const count = inputs.length / BYTES
  const groups = Math.ceil(count / LANES)
  const memory = new WebAssembly.Memory({ initial: Math.ceil((groups * GROUP_BYTES) / PAGE_BYTES) || 1 })
  fill(new DataView(memory.buffer), masks, inputs, count)
  const instance = new WebAssembly.Instance(new WebAssembly.Module(program()), { m: { m: memory } })
  const find = instance.exports['f']!
  const end = groups * GROUP_BYTES
  return (salt, wanted) => {
    const saltWords = words((word) => [salt.readInt32BE(4 * word)])
    for (let at = 0; at < end; at += GROUP_BYTES) {
      at = find(at, end, ...saltWords, wanted.readInt32BE(16))
      const first = (at / GROUP_BYTES) * LANES
      for (let index = first; index < Math.min(first + LANES, count); index += 1)
        if (isMatch(salt, wanted, masks, inputs, index * BYTES)) return index
    }
    return undefined
  }
}

/** Words of four candidates side by side. */
function fill(view: DataView, masks: Buffer, inputs: Buffer, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const at = Math.floor(index / LANES) * GROUP_BYTES + (index % LANES) * 4
    for (let word = 0; word < WORDS; word += 1)
      view.setInt32(at + 16 * word, inputs.readInt32BE(index * BYTES + 4 * word), true)
    view.setInt32(at + 16 * WORDS, masks.readInt32BE(index * BYTES + 16), true)
  }
}

function isMatch(salt: Buffer, wanted: Buffer, masks: Buffer, inputs: Buffer, at: number): boolean {
  const sum = hash('sha1', Buffer.concat([salt, inputs.subarray(at, at + BYTES)]), 'buffer')
  return wanted.every((value, i) => (sum[i]! ^ masks[at + i]!) === value)
}

const I32 = 0x7f
const V128 = 0x7b
/** Parameters: the group to begin with, the end, five words of the salt, the word that is wanted. */
const [AT, END, SALT, WANTED] = [0, 1, 2, 7]
/** Vectors: 16 words of the message, the five of the state, the four constants, the state behind the rounds of the salt. */
const [MESSAGE, STATE, CONSTANTS, SALTED] = [8, 24, 29, 33]
const VECTORS = 30

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const constant = (value: number): number[] => [0x41, ...signed(value | 0), 0xfd, 0x11]
const load = (offset: number): number[] => [...get(AT), 0xfd, 0x00, 4, offset]
const XOR = [0xfd, 0x51]
const OR = [0xfd, 0x50]
const ADD = [0xfd, 0xae, 0x01]
const SELECT = [0xfd, 0x52]
const EQUAL = [0xfd, 0x37]
const ANY_TRUE = [0xfd, 0x53]
const rotated = (local: number, bits: number): number[] => [
  ...[...get(local), 0x41, bits, 0xfd, 0xab, 0x01],
  ...[...get(local), 0x41, 32 - bits, 0xfd, 0xad, 0x01],
  ...OR,
]

const H = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
const K = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6]
/** The last word of the hash is known four rounds before the end: it is what `a` was then, rotated. */
const ROUNDS = 76

/** Signed LEB128. */
function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** Ch, Parity, Maj, Parity (FIPS 180-4, 4.1.1). */
function mix(round: number, b: number, c: number, d: number): number[] {
  if (round < 20) return [...get(c), ...get(d), ...get(b), ...SELECT]
  if (round >= 40 && round < 60) return [...get(d), ...get(b), ...get(b), ...get(c), ...XOR, ...SELECT]
  return [...get(b), ...get(c), ...XOR, ...get(d), ...XOR]
}

/** The message schedule: each word takes the place of the one sixteen before. */
function schedule(round: number): number[] {
  const word = (back: number): number => MESSAGE + ((round - back) & 15)
  const own = MESSAGE + (round & 15)
  return [
    ...[...get(word(3)), ...get(word(8)), ...XOR, ...get(word(14)), ...XOR, ...get(own), ...XOR, ...set(own)],
    ...[...rotated(own, 1), ...set(own)],
  ]
}

/** Rounds from `first` to before `end`; `first` is a multiple of five, so that each word is in its own local. */
function rounds(first: number, end: number): number[] {
  const code: number[] = []
  let [a, b, c, d, e] = [0, 1, 2, 3, 4].map((word) => STATE + word) as [
    number,
    number,
    number,
    number,
    number,
  ]
  for (let round = first; round < end; round += 1) {
    if (round >= 16) code.push(...schedule(round))
    // What depends on `a`, the result of the round before, comes last: the processor does the rest meanwhile.
    code.push(...get(e), ...get(CONSTANTS + Math.floor(round / 20)), ...ADD)
    code.push(...get(MESSAGE + (round & 15)), ...ADD)
    code.push(...mix(round, b, c, d), ...ADD, ...rotated(a, 5), ...ADD, ...set(e))
    code.push(...rotated(b, 30), ...set(b))
    ;[a, b, c, d, e] = [e, a, b, c, d]
  }
  return code
}

/** Where `a` is after so many rounds. */
const localOfA = (count: number): number => STATE + ((5 - (count % 5)) % 5)

/** One block of the message: salt, input, a bit, zeros, and the length of 320 bits. */
function message(): number[] {
  const block = Array.from({ length: 16 }, (_, word) => {
    if (word < WORDS) return saltWord(word)
    if (word < 2 * WORDS) return load(16 * (word - WORDS))
    return constant(word === 2 * WORDS ? 0x8000_0000 : word === 15 ? 8 * 2 * BYTES : 0)
  })
  return block.flatMap((code, word) => [...code, ...set(MESSAGE + word)])
}

const saltWord = (word: number): number[] => [...get(SALT + word), 0xfd, 0x11]
const words = <T>(make: (word: number) => readonly T[]): T[] => [0, 1, 2, 3, 4].flatMap(make)

/** Answers the first group with a candidate whose last word is right, or the end. */
function body(): number[] {
  return [
    ...K.flatMap((value, i) => [...constant(value), ...set(CONSTANTS + i)]),
    // The salt is the same for all candidates, and so are the first rounds.
    ...words((word) => [...saltWord(word), ...set(MESSAGE + word)]),
    ...words((word) => [...constant(H[word]!), ...set(STATE + word)]),
    ...rounds(0, WORDS),
    ...words((word) => [...get(STATE + word), ...set(SALTED + word)]),
    // A block around a loop: leave it at the end, or with a match.
    ...[0x02, 0x40, 0x03, 0x40],
    ...[...get(AT), ...get(END), 0x4f, 0x0d, 1],
    ...message(),
    ...words((word) => [...get(SALTED + word), ...set(STATE + word)]),
    ...rounds(WORDS, ROUNDS),
    ...[...rotated(localOfA(ROUNDS), 30), ...constant(H[4]!), ...ADD, ...load(16 * WORDS), ...XOR],
    ...[...get(WANTED), 0xfd, 0x11, ...EQUAL, ...ANY_TRUE, 0x0d, 1],
    ...[...get(AT), 0x41, ...signed(GROUP_BYTES), 0x6a, ...set(AT), 0x0c, 0],
    ...[0x0b, 0x0b, ...get(AT), 0x0b],
  ]
}

const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
]

/** The module: one type, the memory that it is given, one function with its export. */
function program(): Uint8Array<ArrayBuffer> {
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)]
  const code = [1, VECTORS, V128, ...body()]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 8, ...Array<number>(8).fill(I32), 1, I32]),
    ...section(2, [1, ...name('m'), ...name('m'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('f'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}
