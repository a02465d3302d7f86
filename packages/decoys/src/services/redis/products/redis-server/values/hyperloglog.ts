// HyperLogLogs as Redis keeps them in strings: 16 bytes of header, and 16,384 registers, sparse or dense.
//
//   byte    0 … 3    4          5 … 7     8 … 15                              16 …
//         ┌────────┬──────────┬─────────┬───────────────────────────────────┬───────────┐
//         │ "HYLL" │ encoding │ 0       │ cached count, LE; top bit: stale  │ registers │
//         └────────┴──────────┴─────────┴───────────────────────────────────┴───────────┘
//
// Sparse: `00xxxxxx` so many zeros and one; `01xxxxxx yyyyyyyy` the same in 14 bits; `1vvvvvxx` a value, repeated.

const REGISTERS = 16_384
const HEADER_BYTES = 16
const DENSE_BYTES = HEADER_BYTES + (REGISTERS * 6) / 8
/** `hll-sparse-max-bytes`; the values of a sparse one are at most 32. */
const MAX_SPARSE_BYTES = 3_000
const MAX_SPARSE_VALUE = 32
const [DENSE, SPARSE] = [0, 1]
const MASK = 2n ** 64n - 1n

export type Registers = Uint8Array

/** MurmurHash64A, with the seed that Redis gives it. */
function hash(text: string): bigint {
  const [factor, shift] = [0xc6a4a7935bd1e995n, 47n]
  const bytes = Buffer.from(text, 'latin1')
  let h = (0xadc83b19n ^ (BigInt(bytes.length) * factor)) & MASK
  const whole = bytes.length - (bytes.length % 8)
  for (let at = 0; at < whole; at += 8) {
    let k = (bytes.readBigUInt64LE(at) * factor) & MASK
    k ^= k >> shift
    h = ((h ^ ((k * factor) & MASK)) * factor) & MASK
  }
  if (whole < bytes.length) {
    let rest = 0n
    for (let at = bytes.length - 1; at >= whole; at -= 1) rest = (rest << 8n) | BigInt(bytes[at]!)
    h = ((h ^ rest) * factor) & MASK
  }
  h = ((h ^ (h >> shift)) * factor) & MASK
  return h ^ (h >> shift)
}

/** The register of an element, and how many zeros end the rest of its hash, and one. */
function placeOf(element: string): readonly [index: number, count: number] {
  const h = hash(element)
  let rest = (h >> 14n) | (1n << 50n)
  let count = 1
  for (; (rest & 1n) === 0n; rest >>= 1n) count += 1
  return [Number(h & 0x3fffn), count]
}

export const newRegisters = (): Registers => new Uint8Array(REGISTERS)

/** Whether a register changed. */
export function addElement(registers: Registers, element: string): boolean {
  const [index, count] = placeOf(element)
  if (registers[index]! >= count) return false
  registers[index] = count
  return true
}

export const isHyperLogLog = (text: string): boolean =>
  text.length >= HEADER_BYTES &&
  text.startsWith('HYLL') &&
  text.charCodeAt(4) <= SPARSE &&
  (text.charCodeAt(4) !== DENSE || text.length === DENSE_BYTES)

/** Undefined: the text is corrupt. */
export function readRegisters(text: string): Registers | undefined {
  const bytes = Buffer.from(text, 'latin1')
  return bytes[4] === DENSE ? readDense(bytes) : readSparse(bytes)
}

function readDense(bytes: Buffer): Registers {
  const registers = newRegisters()
  for (let i = 0; i < REGISTERS; i += 1) {
    const bit = i * 6
    const at = HEADER_BYTES + (bit >> 3)
    registers[i] = ((bytes[at]! | ((bytes[at + 1] ?? 0) << 8)) >> (bit & 7)) & 63
  }
  return registers
}

function readSparse(bytes: Buffer): Registers | undefined {
  const registers = newRegisters()
  let index = 0
  for (let at = HEADER_BYTES; at < bytes.length; at += 1) {
    const op = bytes[at]!
    if (op < 0x40) index += op + 1
    else if (op < 0x80) index += (((op & 0x3f) << 8) | (bytes[(at += 1)] ?? 0)) + 1
    else {
      const run = (op & 3) + 1
      registers.fill(((op >> 2) & 31) + 1, index, index + run)
      index += run
    }
  }
  return index === REGISTERS ? registers : undefined
}

/** The cached count is stale then. */
export function writeRegisters(registers: Registers, isDense: boolean): string {
  const sparse = isDense ? undefined : writeSparse(registers)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('HYLL')
  header[4] = sparse ? SPARSE : DENSE
  header[15] = 0x80
  return Buffer.concat([header, sparse ?? writeDense(registers)]).toString('latin1')
}

export const isDense = (text: string): boolean => text.charCodeAt(4) === DENSE

/** The text with another cached count. */
export const withCount = (text: string, count: number): string => {
  const cached = Buffer.alloc(8)
  cached.writeBigUInt64LE(BigInt(count))
  return text.slice(0, 8) + cached.toString('latin1') + text.slice(HEADER_BYTES)
}

export function cachedCount(text: string): number | undefined {
  const cached = Buffer.from(text.slice(8, HEADER_BYTES), 'latin1')
  return cached[7]! & 0x80 ? undefined : Number(cached.readBigUInt64LE())
}

function writeDense(registers: Registers): Buffer {
  const bytes = Buffer.alloc(DENSE_BYTES - HEADER_BYTES + 1)
  registers.forEach((value, i) => {
    const bit = i * 6
    const at = bit >> 3
    const shifted = value << (bit & 7)
    bytes[at]! |= shifted & 255
    bytes[at + 1]! |= shifted >> 8
  })
  return bytes.subarray(0, -1)
}

/** Undefined: it takes too many bytes, or values. */
function writeSparse(registers: Registers): Buffer | undefined {
  const bytes: number[] = []
  for (let at = 0; at < REGISTERS;) {
    const value = registers[at]!
    if (value > MAX_SPARSE_VALUE) return undefined
    let run = 1
    while (registers[at + run] === value && run < (value === 0 ? REGISTERS : 4)) run += 1
    if (value > 0) bytes.push(0x80 | ((value - 1) << 2) | (run - 1))
    else if (run <= 64) bytes.push(run - 1)
    else bytes.push(0x40 | ((run - 1) >> 8), (run - 1) & 255)
    at += run
  }
  return bytes.length + HEADER_BYTES > MAX_SPARSE_BYTES ? undefined : Buffer.from(bytes)
}

function sigma(x: number): number {
  if (x === 1) return Infinity
  let [power, y, z] = [x, 1, x]
  for (let before = -1; before !== z;) {
    power *= power
    before = z
    z += power * y
    y += y
  }
  return z
}

function tau(x: number): number {
  if (x === 0 || x === 1) return 0
  let [root, y, z] = [x, 1, 1 - x]
  for (let before = -1; before !== z;) {
    root = Math.sqrt(root)
    before = z
    y *= 0.5
    z -= (1 - root) ** 2 * y
  }
  return z / 3
}

/** Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (arXiv:1702.01284), algorithm 6. */
export function countOf(registers: Registers): number {
  const bits = 50
  const histogram = new Array<number>(64).fill(0)
  for (const value of registers) histogram[value]! += 1
  let z = REGISTERS * tau((REGISTERS - histogram[bits + 1]!) / REGISTERS)
  for (let j = bits; j >= 1; j -= 1) z = (z + histogram[j]!) * 0.5
  z += REGISTERS * sigma(histogram[0]! / REGISTERS)
  return Math.round((0.72134752044448170368 * REGISTERS * REGISTERS) / z)
}
