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

/** Steps of the search for a text in addresses, by state × 256 + octet; whoever tests millions takes them by hand. */
export interface Ipv4Search {
  /** The state after an octet and the dot behind it, and after the last octet. */
  readonly inner: Uint8Array
  readonly last: Uint8Array
  /** The state in which the text was found. */
  readonly found: number
}

/**
 * A search for addresses, given as numbers, that contain the text in their usual spelling; undefined when none can.
 * The search automaton (Knuth, Morris, Pratt 1977) is run over every octet's digits beforehand, so that an address costs
 * four look-ups.
 */
export function ipv4Search(text: string): Ipv4Search | undefined {
  if (text.length === 0 || text.length > 15 || !/^[\d.]+$/.test(text)) return undefined
  const found = text.length
  const step = automaton(text)
  const after = (state: number, part: string): number => [...part].reduce(step, state)
  const last = new Uint8Array((found + 1) * 256)
  const inner = new Uint8Array((found + 1) * 256)
  for (let state = 0; state <= found; state++) {
    for (let octet = 0; octet < 256; octet++) {
      last[state * 256 + octet] = after(state, String(octet))
      inner[state * 256 + octet] = after(state, `${octet}.`)
    }
  }
  return { inner, last, found }
}

/** 1 at the place of each address that does, in two nanoseconds, a sixth of what one costs alone; undefined when none does. */
export function ipv4Marks({ inner, last, found }: Ipv4Search, values: Uint32Array): Uint8Array | undefined {
  let marks: Uint8Array | undefined
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    let state = inner[value >>> 24] as number
    state = inner[(state << 8) | ((value >>> 16) & 255)] as number
    state = inner[(state << 8) | ((value >>> 8) & 255)] as number
    if (last[(state << 8) | (value & 255)] !== found) continue
    marks ??= new Uint8Array(values.length)
    marks[at] = 1
  }
  return marks
}

/** How many characters of the text are matched after one more; the whole text is never left again. */
function automaton(text: string): (state: number, character: string) => number {
  const fallback = [0, 0]
  const step = (state: number, character: string): number => {
    if (state === text.length) return state
    let matched = state
    while (matched > 0 && text[matched] !== character) matched = fallback[matched] ?? 0
    return text[matched] === character ? matched + 1 : 0
  }
  for (let at = 1; at < text.length; at++) fallback.push(step(fallback[at] ?? 0, text[at] ?? ''))
  return step
}
