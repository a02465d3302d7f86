// LZF, as liblzf 3.6 writes it (HLOG 16, VERY_FAST): the compression of long texts in an RDB.
//
//   000LLLLL                      L + 1 literal bytes follow
//   LLLooooo oooooooo             copy L + 2 bytes (L from 1 to 6) from `o` + 1 bytes back
//   111ooooo LLLLLLLL oooooooo    copy L + 9 bytes
const MAX_LITERALS = 32
const MAX_OFFSET = 8192
const MAX_COPY = 264
const HASH_BITS = 16

const hashOf = (three: number): number => ((three >>> (24 - HASH_BITS)) - three * 5) & ((1 << HASH_BITS) - 1)

/** The last place of each three bytes, counted on from text to text: to empty it for each would take longer than most texts. */
const places = new Int32Array(1 << HASH_BITS).fill(-1)
let nextBase = 0

/** Where the places of the next text begin; those before it are negative to it. */
function newTexts(length: number): number {
  if (nextBase + length >= 2 ** 31) {
    places.fill(-1)
    nextBase = 0
  }
  nextBase += length
  return nextBase - length
}

/** Undefined: it does not become shorter than `limit` bytes. */
export function compress(text: string, limit: number): string | undefined {
  const input = Buffer.from(text, 'latin1')
  const output: number[] = []
  const base = newTexts(input.length)
  const note = (at: number): number => {
    const hash = hashOf((input[at]! << 16) | (input[at + 1]! << 8) | input[at + 2]!)
    const earlier = places[hash]! - base
    places[hash] = base + at
    return earlier
  }
  let literals = 0
  const endRun = (): void => {
    if (literals > 0) output[output.length - literals - 1] = literals - 1
    else output.pop()
    literals = 0
  }
  const startRun = (): unknown => output.push(0)
  const addLiteral = (at: number): void => {
    output.push(input[at]!)
    literals += 1
    if (literals < MAX_LITERALS) return
    endRun()
    startRun()
  }
  startRun()
  let at = 0
  while (at < input.length - 2) {
    const earlier = note(at)
    const offset = at - earlier - 1
    // The first byte is never copied.
    if (earlier <= 0 || offset >= MAX_OFFSET || !isSame(input, earlier, at)) {
      if (output.length >= limit) return undefined
      addLiteral(at++)
      continue
    }
    if (output.length - (literals ? 0 : 1) + 4 >= limit) return undefined
    endRun()
    const length = matchLength(input, earlier, at)
    const coded = length - 2
    if (coded < 7) output.push((offset >> 8) + (coded << 5))
    else output.push((offset >> 8) + (7 << 5), coded - 7)
    output.push(offset & 255)
    startRun()
    at += length
    if (at >= input.length - 2) break
    note(at - 2)
    note(at - 1)
  }
  if (output.length + 3 > limit) return undefined
  while (at < input.length) addLiteral(at++)
  endRun()
  return Buffer.from(output).toString('latin1')
}

const isSame = (bytes: Buffer, a: number, b: number): boolean =>
  bytes[a] === bytes[b] && bytes[a + 1] === bytes[b + 1] && bytes[a + 2] === bytes[b + 2]

/** Where much is left, liblzf compares sixteen bytes before it asks for the end: then it may take two more. */
const UNCHECKED = 16

function matchLength(bytes: Buffer, from: number, at: number): number {
  const most = Math.min(MAX_COPY, bytes.length - at - 2)
  const least = most > UNCHECKED ? UNCHECKED + 3 : 3
  let length = 3
  while ((length < least || length < most) && bytes[from + length] === bytes[at + length]) length += 1
  return length
}

/** Undefined: the bytes are damaged, or become another length. */
export function decompress(text: string, length: number): string | undefined {
  const output = Buffer.alloc(length)
  let to = 0
  let at = 0
  while (at < text.length) {
    const control = text.charCodeAt(at++)
    if (control < 32) {
      const end = at + control + 1
      if (end > text.length || to + control + 1 > length) return undefined
      while (at < end) output[to++] = text.charCodeAt(at++)
      continue
    }
    let count = control >> 5
    if (count === 7) count += text.charCodeAt(at++)
    let from = to - ((control & 31) << 8) - text.charCodeAt(at++) - 1
    // A NaN behind the end is neither.
    if (!(from >= 0) || !(to + count + 2 <= length)) return undefined
    const end = to + count + 2
    while (to < end) output[to++] = output[from++]!
  }
  return to === length ? output.toString('latin1') : undefined
}
