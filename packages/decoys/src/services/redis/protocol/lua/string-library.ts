// The library `string` of Lua (reference manual 5.1, section 5.4).
import {
  badArgument,
  integerArgument,
  library,
  native,
  textArgument,
  type Args,
  type Native,
} from './arguments.ts'
import { format } from './format.ts'
import { callValue, getIndex, isFunction, newText, readText } from './operations.ts'
import { findMatch, type Match } from './pattern.ts'
import type { LuaMachine } from './run.ts'
import { isTruthy, LuaFault, toText, typeOf, type LuaValue } from './values.ts'

const CHARACTERS_A_UNIT = 8
const SLICE_WORK = 4

/** The place of a first character that an argument names: 1 is the first, -1 the last. */
const placeOf = (place: number, length: number): number =>
  place < 0 ? Math.max(0, length + place + 1) : place

const capturesOf = (text: string, { start, end, captures }: Match): readonly LuaValue[] =>
  captures.length > 0 ? captures : [text.slice(start, end)]

/** The search of texts compares a long pattern again at each of so many characters, at worst. */
const LONG_STEP = 128

const payPlainFind = (machine: LuaMachine, text: number, pattern: number): void =>
  machine.spend(1 + (text / CHARACTERS_A_UNIT) * (1 + Math.min(text, pattern) / LONG_STEP))

function find(machine: LuaMachine, args: Args, isMatch: boolean): readonly LuaValue[] {
  const name = isMatch ? 'match' : 'find'
  const [text, pattern] = [textArgument(args, 0, name), textArgument(args, 1, name)]
  const from = Math.min(Math.max(0, placeOf(integerArgument(args, 2, name, 1), text.length) - 1), text.length)
  readText(machine, pattern.length)
  if (!isMatch && (isTruthy(args[3]) || !/[\^$*+?.([%-]/.test(pattern))) {
    payPlainFind(machine, text.length - from, pattern.length)
    const at = text.indexOf(pattern, from)
    return at < 0 ? [undefined] : [at + 1, at + pattern.length]
  }
  const match = findMatch(text, pattern, from, machine.spend)
  if (!match) return [undefined]
  return isMatch ? capturesOf(text, match) : [match.start + 1, match.end, ...match.captures]
}

function matches(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const [text, pattern] = [textArgument(args, 0, 'gmatch'), textArgument(args, 1, 'gmatch')]
  let from = 0
  const next: Native = () => {
    const match = from > text.length ? undefined : findMatch(text, pattern, from, machine.spend)
    if (!match) return [undefined]
    from = match.end > match.start ? match.end : match.end + 1
    return capturesOf(text, match)
  }
  return [native('gmatch', next)]
}

/** What takes the place of a match. */
function replacement(machine: LuaMachine, text: string, match: Match, by: LuaValue): string {
  const captures = capturesOf(text, match)
  const whole = text.slice(match.start, match.end)
  if (typeof by === 'string' || typeof by === 'number') {
    const shown = toText(by)!
    machine.spend(shown.length / 2)
    return shown.replace(/%(.?)/gs, (_, c: string) => {
      if (!/\d/.test(c)) return c
      if (c === '0') return whole
      const capture = captures[Number(c) - 1]
      if (capture === undefined) throw new LuaFault('invalid capture index')
      return toText(capture)!
    })
  }
  const value = isFunction(by) ? callValue(machine, by, captures)[0] : getIndex(machine, by, captures[0])
  if (!isTruthy(value)) return whole
  const shown = toText(value)
  if (shown === undefined) throw new LuaFault(`invalid replacement value (a ${typeOf(value)})`)
  return shown
}

function substitute(machine: LuaMachine, args: Args): readonly LuaValue[] {
  const [text, pattern] = [textArgument(args, 0, 'gsub'), textArgument(args, 1, 'gsub')]
  const by = args[2]
  const isKnown = typeof by === 'string' || typeof by === 'number' || typeof by === 'object'
  if (!isKnown) throw badArgument(2, 'gsub', 'string/function/table expected')
  const most = integerArgument(args, 3, 'gsub', text.length + 1)
  let [result, from, count] = ['', 0, 0]
  while (count < most && from <= text.length) {
    const match = findMatch(text, pattern, from, machine.spend)
    if (!match) break
    count += 1
    const added = replacement(machine, text, match, by)
    newText(machine, added)
    result += text.slice(from, match.start) + added
    if (match.end > match.start) from = match.end
    else {
      result += text[match.end] ?? ''
      from = match.end + 1
    }
    if (pattern.startsWith('^')) break
  }
  return [newText(machine, result + text.slice(from)), count]
}

/** A text of as many bytes. */
const changed =
  (machine: LuaMachine, name: string, change: (bytes: Buffer) => Buffer): Native =>
  (args) => {
    const text = textArgument(args, 0, name)
    machine.spend(2 + text.length / CHARACTERS_A_UNIT)
    return [change(Buffer.from(text, 'latin1')).toString('latin1')]
  }

/** Adds to the letters between two. */
const shifted =
  (first: string, last: string, by: number) =>
  (bytes: Buffer): Buffer => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
    for (let at = 0; at < bytes.length; at += 1) if (bytes[at]! >= from && bytes[at]! <= to) bytes[at]! += by
    return bytes
  }

export function addStringLibrary(machine: LuaMachine): void {
  const functions: Record<string, Native> = {
    find: (args) => find(machine, args, false),
    match: (args) => find(machine, args, true),
    gmatch: (args) => matches(machine, args),
    gsub: (args) => substitute(machine, args),
    format: (args) => [newText(machine, format(machine, args))],
    len: (args) => [textArgument(args, 0, 'len').length],
    upper: changed(machine, 'upper', shifted('a', 'z', -32)),
    lower: changed(machine, 'lower', shifted('A', 'Z', 32)),
    reverse: changed(machine, 'reverse', (bytes) => bytes.reverse()),
    sub: (args) => {
      const text = textArgument(args, 0, 'sub')
      machine.spend(SLICE_WORK)
      const from = Math.max(1, placeOf(integerArgument(args, 1, 'sub'), text.length))
      return [text.slice(from - 1, placeOf(integerArgument(args, 2, 'sub', -1), text.length))]
    },
    byte: (args) => {
      const text = textArgument(args, 0, 'byte')
      const from = Math.max(1, placeOf(integerArgument(args, 1, 'byte', 1), text.length))
      const to = placeOf(integerArgument(args, 2, 'byte', from), text.length)
      const part = text.slice(from - 1, to)
      if (part.length > 8_000) throw new LuaFault('string slice too long')
      machine.spend(part.length)
      return [...part].map((c) => c.charCodeAt(0))
    },
    char: (args) => {
      machine.spend(args.length * 2)
      const codes = args.map((_, i) => {
        const code = integerArgument(args, i, 'char')
        if (code < 0 || code > 255) throw badArgument(i, 'char', 'invalid value')
        return code
      })
      return [Buffer.from(codes).toString('latin1')]
    },
    rep: (args) => {
      const [text, count] = [textArgument(args, 0, 'rep'), integerArgument(args, 1, 'rep')]
      if (text.length * count > 1024 * 1024) throw new LuaFault('not enough memory')
      return [newText(machine, text === '' ? '' : text.repeat(Math.max(0, count)))]
    },
  }
  const table = library(functions)
  for (const name of Object.keys(functions)) machine.textMethods.set(name, table.get(name))
  machine.textMethods.isReadonly = true
  machine.globals.set('string', table)
}
