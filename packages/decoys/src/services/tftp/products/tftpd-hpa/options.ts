// The options of a request, as tftpd-hpa agrees to them (RFC 2348, 2349; rollover, utimeout and blksize2 are its own).
import { BLOCK_BYTES, MAX_BLOCK_BYTES, REPEAT_MS } from './profile.ts'

export interface Terms {
  readonly blockBytes: number
  /** The number behind block 65,535. */
  readonly rollover: number
  readonly repeatMs: number
}

export interface Agreement {
  readonly terms: Terms
  /** What is said back, in the order asked. */
  readonly agreed: readonly (readonly [string, string])[]
}

const UNTIL = 2n ** 64n

/** As strtoumax reads it: a negative number is a large one. Undefined: the option is passed over. */
function numberOf(text: string): bigint | undefined {
  const [, sign, digits] = /^[\t-\r ]*([+-]?)(\d+)$/.exec(text) ?? []
  const value = digits === undefined ? UNTIL : BigInt(digits)
  if (value >= UNTIL) return undefined
  return sign === '-' ? (UNTIL - value) % UNTIL : value
}

type Agree = (
  asked: bigint,
  terms: Terms,
  size: number | undefined,
) => { value: bigint; terms?: Partial<Terms> } | undefined

const within =
  (least: bigint, most: bigint, terms: (value: number) => Partial<Terms>): Agree =>
  (value) =>
    value < least || value > most ? undefined : { value, terms: terms(Number(value)) }

const blockBytes = (asked: bigint): bigint => (asked > MAX_BLOCK_BYTES ? BigInt(MAX_BLOCK_BYTES) : asked)
const powerBelow = (asked: bigint): bigint =>
  asked > MAX_BLOCK_BYTES ? BigInt(MAX_BLOCK_BYTES) : BigInt(2 ** Math.floor(Math.log2(Number(asked))))

const sized =
  (bytes: (asked: bigint) => bigint): Agree =>
  (asked) => {
    if (asked < 8n) return undefined
    const value = bytes(asked)
    return { value, terms: { blockBytes: Number(value) } }
  }

const OPTIONS: ReadonlyMap<string, Agree> = new Map([
  ['blksize', sized(blockBytes)],
  ['blksize2', sized(powerBelow)],
  [
    'tsize',
    (asked, _, size) => (size === undefined ? undefined : { value: asked === 0n ? BigInt(size) : asked }),
  ],
  ['timeout', within(1n, 255n, (seconds) => ({ repeatMs: seconds * 1_000 }))],
  ['utimeout', within(10_000n, 255_000_000n, (us) => ({ repeatMs: us / 1_000 }))],
  ['rollover', within(0n, 65_535n, (rollover) => ({ rollover }))],
])

/** Of names and values by turns. `size` of the file, where it is known. Undefined: one of them cannot be. */
export function agree(words: readonly string[], size: number | undefined): Agreement | undefined {
  let terms: Terms = { blockBytes: BLOCK_BYTES, rollover: 0, repeatMs: REPEAT_MS }
  const agreed: (readonly [string, string])[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [name, text] = [words[at]!, words[at + 1]!]
    const [option, asked] = [OPTIONS.get(name.toLowerCase()), numberOf(text)]
    if (!option || asked === undefined) continue
    const given = option(asked, terms, size)
    if (!given) return undefined
    terms = { ...terms, ...given.terms }
    agreed.push([name, String(given.value)])
  }
  return { terms, agreed }
}
