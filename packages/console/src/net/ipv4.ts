// IPv4 addresses as numbers: four bytes instead of up to fifteen, and a substring test that reads no text.

const LONGEST = '255.255.255.255'.length
const DOT = 46
const ZERO = 48

/** The address as a number, 0 … 2³² − 1; undefined unless the text is the one usual spelling of an IPv4 address. */
export function ipv4Value(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  let value = 0
  let dots = 0
  let octet: number | undefined
  // By hand: every touch asks several times.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (octet === undefined) return undefined
      value = value * 256 + octet
      octet = undefined
      dots++
    } else {
      const digit = code - ZERO
      // No digit follows a leading zero.
      if (digit < 0 || digit > 9 || octet === 0) return undefined
      octet = (octet ?? 0) * 10 + digit
      if (octet > 255) return undefined
    }
  }
  return dots === 3 && octet !== undefined ? value * 256 + octet : undefined
}

/** The usual spelling of the number. */
export const ipv4Text = (value: number): string =>
  `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`

/**
 * Which addresses contain a text: `of[place × 256 + octet]` has a bit for each way to lay the text over the four octets, set
 * where this octet does not contradict it. An address contains the text where its four octets have a bit in common.
 */
export interface Ipv4Search {
  readonly of: Uint8Array
}

/** A search for addresses, given as numbers, that contain the text in their usual spelling; undefined when none can. */
export function ipv4Search(text: string): Ipv4Search | undefined {
  if (!/^[\d.]+$/.test(text)) return undefined
  const parts = text.split('.')
  const ways = OCTETS - parts.length + 1
  const of = new Uint8Array(OCTETS * 256)
  for (let way = 0; way < ways; way++) {
    for (let place = 0; place < OCTETS; place++) {
      for (let octet = 0; octet < 256; octet++) {
        if (agrees(String(octet), parts, place - way)) of[place * 256 + octet]! |= 1 << way
      }
    }
  }
  const canBe = [0, 1, 2, 3].map((place) =>
    of.subarray(place * 256, (place + 1) * 256).reduce((a, b) => a | b),
  )
  return canBe.reduce((a, b) => a & b) === 0 ? undefined : { of }
}

const OCTETS = 4

/** Whether an octet may stand where the text has this part: with a dot on both sides whole, with one up to that side. */
function agrees(octet: string, parts: readonly string[], at: number): boolean {
  const part = parts[at]
  if (part === undefined) return true
  if (parts.length === 1) return octet.includes(part)
  if (at === 0) return octet.endsWith(part)
  return at === parts.length - 1 ? octet.startsWith(part) : octet === part
}

/** Whether an address of this network, given by its upper 16 bits, can contain the text. */
export const ipv4Network = ({ of }: Ipv4Search, network: number): boolean => waysOf(of, network) !== 0

const waysOf = (of: Uint8Array, network: number): number =>
  (of[network >>> 8] as number) & (of[256 + (network & 255)] as number)

/**
 * Writes `mark` at the place of each address that does; answers whether any does. The addresses rise: those of one network
 * of 16 bits are judged together by it, and are passed over together where it contradicts the text.
 */
export function ipv4Mark({ of }: Ipv4Search, rising: Uint32Array, marks: Uint8Array, mark: number): boolean {
  let isAny = false
  let at = 0
  while (at < rising.length) {
    const network = (rising[at] as number) >>> 16
    const ways = waysOf(of, network)
    if (ways === 0) {
      at = behind(rising, at, network)
      continue
    }
    for (; at < rising.length; at++) {
      const value = rising[at] as number
      if (value >>> 16 !== network) break
      if ((ways & (of[512 + ((value >>> 8) & 255)] as number) & (of[768 + (value & 255)] as number)) === 0)
        continue
      marks[at] = mark
      isAny = true
    }
  }
  return isAny
}

/** The place of the first address behind the network's, in steps that double. */
function behind(rising: Uint32Array, from: number, network: number): number {
  const isIn = (at: number): boolean => at < rising.length && (rising[at] as number) >>> 16 === network
  let step = 1
  while (isIn(from + step)) step *= 2
  let low = from + (step >>> 1) + 1
  let high = Math.min(from + step, rising.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isIn(middle)) low = middle + 1
    else high = middle
  }
  return low
}
