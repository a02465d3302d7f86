// Which characters a client in line mode sends for interrupt, erase and the like (RFC 1184, 2.4 and 5): triplets of
// function, flags and value. Those that the terminal has can be changed, and change there.
import { IAC } from '../../protocol/commands.ts'
import { INITIAL, type Attributes, type SpecialCharacter } from '../../protocol/terminal.ts'

interface Setting {
  /** The level in its two lowest bits, and what else the other side said. */
  flags: number
  value: number
}

/** By function, from 1 on. */
export interface SpecialCharacters {
  readonly current: Setting[]
  /** The client said whether it turns flow control on and off: it may then change XON and XOFF. */
  flowControlLevel: number
}

const LEVEL = 3
const NOT_SUPPORTED = 0
export const CANNOT_CHANGE = 1
const VARIABLE = 2
export const DEFAULT = 3
const FLUSHES_OUTPUT = 32
const FLUSHES_INPUT = 64
const ACKNOWLEDGES = 128

const FUNCTIONS: readonly { readonly name?: SpecialCharacter; readonly flags: number }[] = [
  { flags: NOT_SUPPORTED },
  { flags: DEFAULT }, // SYNCH
  { flags: DEFAULT }, // BRK
  { name: 'interrupt', flags: VARIABLE | FLUSHES_INPUT | FLUSHES_OUTPUT },
  { name: 'discard', flags: VARIABLE | FLUSHES_OUTPUT },
  { flags: DEFAULT }, // AYT
  { flags: DEFAULT }, // EOR
  { name: 'quit', flags: VARIABLE | FLUSHES_INPUT | FLUSHES_OUTPUT },
  { name: 'endOfFile', flags: VARIABLE },
  { name: 'suspend', flags: VARIABLE | FLUSHES_INPUT },
  { name: 'erase', flags: VARIABLE },
  { name: 'kill', flags: VARIABLE },
  { name: 'eraseWord', flags: VARIABLE },
  { name: 'reprint', flags: VARIABLE },
  { name: 'quote', flags: VARIABLE },
  { name: 'start', flags: VARIABLE },
  { name: 'stop', flags: VARIABLE },
  { name: 'endOfLine', flags: VARIABLE },
  { name: 'endOfLine2', flags: VARIABLE },
]
/** Editing functions: the client is asked to choose where we have nothing yet. */
const EDITING: ReadonlySet<number> = new Set([10, 11, 12, 13, 14])
const FLOW: ReadonlySet<number> = new Set([15, 16])

export const noSpecialCharacters = (): SpecialCharacters => ({
  current: FUNCTIONS.map(() => ({ flags: NOT_SUPPORTED, value: 0 })),
  flowControlLevel: VARIABLE,
})

/** The triplets that answer a client's. Those that change a character change it in `typed`, too. */
export function answerTriplets(
  characters: SpecialCharacters,
  content: readonly number[],
  typed: Attributes['characters'],
): number[] {
  const answers: number[][] = []
  for (let at = 0; at + 2 < content.length; at += 3) {
    const [func = 0, flags = 0, value = 0] = content.slice(at, at + 3)
    answers.push(answerTriplet(characters, { func, flags, value }, typed))
  }
  return fitting(answers.flat())
}

/** telnetd's buffer, before the last triplet; a byte 255 takes the room of two. */
const MAX_SENT_BYTES = 98

/** The triplets that telnetd has room for. */
function fitting(answer: readonly number[]): number[] {
  const fit: number[] = []
  for (let at = 0, length = 0; at < answer.length && length <= MAX_SENT_BYTES; at += 3) {
    const triplet = answer.slice(at, at + 3)
    fit.push(...triplet)
    length += triplet.length + triplet.filter((byte) => byte === IAC).length
  }
  return fit
}

interface Triplet {
  readonly func: number
  readonly flags: number
  readonly value: number
}

function answerTriplet(
  characters: SpecialCharacters,
  { func, flags, value }: Triplet,
  typed: Attributes['characters'],
): number[] {
  const level = flags & LEVEL
  const current = characters.current[func]
  if (!current) return [func, NOT_SUPPORTED, 0]
  if (func === 0) {
    if (level === DEFAULT) useDefaults(characters, typed)
    return level === DEFAULT || level === VARIABLE ? triplets(characters) : []
  }
  const isAcknowledged = (flags & ACKNOWLEDGES) !== 0
  if (isAcknowledged || (level === (current.flags & LEVEL) && value === current.value)) return []
  return change(characters, { func, flags, value }, typed)
}

function change(
  characters: SpecialCharacters,
  { func, flags, value }: Triplet,
  typed: Attributes['characters'],
): number[] {
  const current = characters.current[func]!
  const { name } = FUNCTIONS[func]!
  const preferred = defaultOf(characters, func)
  const set = (changed: Setting, shown = changed): number[] => {
    Object.assign(current, changed)
    return [func, shown.flags, shown.value]
  }
  switch (flags & LEVEL) {
    case NOT_SUPPORTED:
      return set({ flags, value: 0 }, { flags: flags | ACKNOWLEDGES, value })
    case DEFAULT: {
      const isOurs = (preferred.flags & LEVEL) !== DEFAULT
      return set({ flags: isOurs ? preferred.flags : NOT_SUPPORTED, value: preferred.value })
    }
    default:
      // What we have no character for is the client's own affair.
      if (name) typed[name] = value
      return set({ flags, value }, { flags: flags | ACKNOWLEDGES, value })
  }
}

function defaultOf({ flowControlLevel }: SpecialCharacters, func: number): Setting {
  const { name, flags } = FUNCTIONS[func]!
  return { flags: FLOW.has(func) ? flowControlLevel : flags, value: name ? INITIAL.characters[name] : 0 }
}

function useDefaults(characters: SpecialCharacters, typed: Attributes['characters']): void {
  characters.current.forEach((current, func) => {
    const { flags, value } = defaultOf(characters, func)
    const { name } = FUNCTIONS[func]!
    Object.assign(current, { flags: value === 0 ? NOT_SUPPORTED : flags, value })
    if (name) typed[name] = value
  })
}

/** All that we support. */
export const triplets = ({ current }: SpecialCharacters): number[] =>
  current.flatMap(({ flags, value }, func) => {
    if ((flags & LEVEL) !== NOT_SUPPORTED) return [func, flags, value]
    return EDITING.has(func) ? [func, flags | DEFAULT, 0] : []
  })
