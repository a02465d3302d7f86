// Lists of addresses to ignore: an address, a CIDR range, either with a port, and in a Flock's list a port alone; logtypes
// behind an address name the only kinds of touches that it ignores (`10.0.0.5 3000 22003`); `#` starts a comment. Lines are stored as they were written, and compiled for the check of every touch.
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import {
  covers,
  isWide,
  openAddressSet,
  readAddress,
  readRange,
  type Address,
  type AddressSet,
  type Range,
  WIDEST,
} from './address-set.ts'
import { canonicalRange } from './ranges.ts'

export interface IpEntry {
  /** An address or a CIDR range; undefined is every address. */
  readonly range: string | undefined
  /** Only traffic to this port; undefined is every port. */
  readonly port: number | undefined
  /** Only touches of these logtypes; none is every logtype. */
  readonly logtypes: readonly string[]
}

export interface IpList {
  readonly isEmpty: boolean
  /** Without a port or a logtype only entries for all of them count; without an address only those for every address. */
  has(address: Address | undefined, port?: number, logtype?: string): boolean
}

/** What a line may hold. */
export interface LineRules {
  /** The parameter that the lines came in. */
  readonly parameter: string
  readonly ports?: boolean
  readonly portAlone?: boolean
  /** Which words may follow an address as logtypes; without it, none may. */
  readonly isLogtype?: (word: string) => boolean
  /** Refuses a range wider than /8 (IPv6: /16): a slip of the hand that would silence half the Internet. */
  readonly refusesWide?: boolean
}

/** Lines of one ignore list. */
export const LINES = limit('ignore_list_lines', 10_000)
const SHOWN_CHARACTERS = 80

/** The part of a line before its comment. */
export const entryOf = (line: string): string => (line.split('#')[0] ?? '').trim()

/** Reads one line; undefined when it is empty or a comment; a `bad-input` that names the line when it is wrong. */
export function parseIpLine(line: string, rules: LineRules): IpEntry | undefined {
  const text = entryOf(line)
  if (text === '') return undefined
  const { ports = true, portAlone = false, isLogtype } = rules
  const [source = '', ...logtypes] = isLogtype ? text.split(/\s+/) : [text]
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(source)
  const unbracketed = /^([^:]*):(\d{1,5})$/.exec(source)
  const range = bracketed?.[1] ?? unbracketed?.[1] ?? source
  const portText = bracketed ? bracketed[2] : unbracketed?.[2]
  const port = portText === undefined ? undefined : Number(portText)
  const isAlone = portAlone && port !== undefined && logtypes.length === 0
  const isRange = range === '' ? isAlone : readRange(range) !== undefined
  if (isRange && (port === undefined || (ports && port <= 65_535))) {
    const unknown = logtypes.find((it) => !isLogtype?.(it))
    if (unknown !== undefined) throw wrongLogtype(unknown, line, rules.parameter)
    if (rules.refusesWide) refuseWide(range, rules.parameter)
    return { range: range === '' ? undefined : range, port, logtypes }
  }
  throw wrongLine(line, rules.parameter, wanted(ports, portAlone))
}

/** A line that was checked when it was stored: its logtypes are taken as they are. */
export const storedEntry = (line: string): IpEntry | undefined =>
  parseIpLine(line, { parameter: 'list', portAlone: true, isLogtype: () => true })

const wrongLogtype = (word: string, line: string, parameter: string): Fault =>
  invalidParameter(
    parameter,
    `must have known logtypes behind an address, not ${quoted(word)}, on the line ${quoted(line)}`,
  )

const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)

const wanted = (ports: boolean, portAlone: boolean): string =>
  `an IP address${ports ? ',' : ' or'} a CIDR range${ports ? (portAlone ? ', ip:port or :port' : ' or ip:port') : ''}`

/** The `bad-input` that names a line, and what each line must be. */
export const wrongLine = (line: string, parameter: string, wanted: string): Fault =>
  invalidParameter(parameter, `must have ${wanted} on each line, not ${quoted(line)}`)

/** A `bad-input` at a range wider than /8 (IPv6: /16). */
export function refuseWide(text: string, parameter: string): void {
  const range = readRange(text)
  if (!range || !isWide(range)) return
  throw invalidParameter(
    parameter,
    `must have no range wider than /${WIDEST.v4} (IPv6: /${WIDEST.v6}) unless force is true, not ${JSON.stringify(text)}`,
  )
}

/** An address or CIDR range, to one port or to all, by these logtypes or by all, as a line. */
export function ipLine(address: string, port: number | undefined, logtypes: readonly string[] = []): string {
  const host = port !== undefined && address.includes(':') ? `[${address}]` : address
  return [port === undefined ? host : `${host}:${port}`, ...logtypes].join(' ')
}

/** The lines of a text, without blanks around them and without empty ones; more than 10,000 are a `bad-input`. */
export function linesOf(text: string, parameter: string): string[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length <= LINES.max) return lines
  LINES.hit()
  throw invalidParameter(parameter, `must have at most ${LINES.max} lines, not ${lines.length}`)
}

/** The same where commas separate entries, too; a comment belongs to the entry before it and ends with its line. */
export function entriesOf(text: string, parameter: string): string[] {
  const lines = linesOf(text, parameter).flatMap((line) => {
    const at = line.indexOf('#')
    const comment = at < 0 ? '' : line.slice(at)
    const entries = (at < 0 ? line : line.slice(0, at)).split(',').map((entry) => entry.trim())
    const last = entries.pop() ?? ''
    return [...entries, `${last} ${comment}`.trim()]
  })
  return linesOf(lines.join('\n'), parameter)
}

/** The lines as one text, separated by commas; a line with a comment ends with a newline. */
export const joinEntries = (lines: readonly string[]): string =>
  lines.reduce((text, line, index) => {
    const isApart = line.startsWith('#') || lines[index - 1]?.includes('#')
    return index === 0 ? line : `${text}${isApart ? '\n' : ','}${line}`
  }, '')

/** Compiles lines that have been checked. */
export function compileIpList(lines: readonly string[]): IpList {
  const everyLogtype = openPorts()
  const byLogtype = new Map<string, Ports>()
  const everyAddress = new Set<number>()
  let isEmpty = true
  for (const line of lines) {
    const entry = storedEntry(line)
    if (!entry) continue
    isEmpty = false
    const range = entry.range === undefined ? undefined : readRange(entry.range)
    if (range === undefined) everyAddress.add(entry.port ?? -1)
    else if (entry.logtypes.length === 0) everyLogtype.add(range, entry.port)
    for (const logtype of range ? entry.logtypes : []) {
      const ports = byLogtype.get(logtype) ?? openPorts()
      byLogtype.set(logtype, ports)
      if (range) ports.add(range, entry.port)
    }
  }
  return {
    isEmpty,
    has(address, port, logtype) {
      if (port !== undefined && everyAddress.has(port)) return true
      if (address === undefined) return false
      if (everyLogtype.has(address, port)) return true
      return logtype !== undefined && (byLogtype.get(logtype)?.has(address, port) ?? false)
    },
  }
}

/** Addresses, each on one port or on every port. */
interface Ports {
  add(range: Range, port: number | undefined): void
  has(address: Address, port: number | undefined): boolean
}

function openPorts(): Ports {
  const everyPort = openAddressSet()
  const byPort = new Map<number, AddressSet>()
  return {
    add(range, port) {
      if (port === undefined) return everyPort.add(range)
      const list = byPort.get(port) ?? openAddressSet()
      byPort.set(port, list)
      list.add(range)
    },
    has: (address, port) =>
      everyPort.has(address) || (port !== undefined && (byPort.get(port)?.has(address) ?? false)),
  }
}

/** What is asked of the lines of a list. Without a range only lines `:port` count. */
export interface ListQuestion {
  readonly range?: string | undefined
  readonly port?: number | undefined
  /** Without it, only lines for every logtype count; with `any`, those for some, too. */
  readonly logtype?: string | undefined
}

/** The first line that covers the address or range: to this port, or to every port. */
export const coveringLine = (lines: readonly string[], question: ListQuestion): string | undefined =>
  lineFinder(lines)(question)

/**
 * The line that ignores touches of the question; `isWhole` is false if it ignores but some of them, by its logtypes, and
 * the question named none.
 */
export function matchingLine(
  lines: readonly string[],
  question: ListQuestion,
): { line: string; isWhole: boolean } | undefined {
  const find = lineFinder(lines)
  const whole = find(question)
  if (whole !== undefined) return { line: whole, isWhole: true }
  const part = question.logtype === undefined ? find({ ...question, logtype: 'any' }) : undefined
  return part === undefined ? undefined : { line: part, isWhole: false }
}

/** `coveringLine` of lines that are asked often; they are parsed at the first question. */
export function lineFinder(lines: readonly string[]): (question: ListQuestion) => string | undefined {
  let parsed: (Pick<IpEntry, 'port' | 'logtypes'> & { line: string; outer: Range | undefined })[]
  const parseAll = (): typeof parsed =>
    lines.flatMap((line) => {
      const entry = storedEntry(line)
      if (!entry) return []
      const { range, port, logtypes } = entry
      return [{ line, port, logtypes, outer: range === undefined ? undefined : readRange(range) }]
    })
  return ({ range, port, logtype }) => {
    const inner = range === undefined ? undefined : readRange(range)
    return (parsed ??= parseAll()).find(
      (it) =>
        (it.port === undefined || it.port === port) &&
        (it.logtypes.length === 0 ||
          logtype === 'any' ||
          (logtype !== undefined && it.logtypes.includes(logtype))) &&
        (it.outer === undefined || (inner !== undefined && covers(it.outer, inner))),
    )?.line
  }
}

/** The union of the lists. */
export const unionOf = (lists: readonly IpList[]): IpList => ({
  isEmpty: lists.every((list) => list.isEmpty),
  has: (...question) => lists.some((list) => list.has(...question)),
})

/** One spelling of an address or CIDR range, or a `bad-input` that names the parameter. */
export function checkedRange(text: string, parameter: string): string {
  const range = canonicalRange(text.trim())
  if (range !== undefined) return range
  throw wrongSource('an IP address or a CIDR range', text, parameter)
}

/** The address, or a `bad-input` that names the parameter. */
export function checkedAddress(text: string, parameter: string): string {
  if (readAddress(text.trim()) !== undefined) return text.trim()
  throw wrongSource('an IP address', text, parameter)
}

/** The address in the one spelling in which sources are stored, or a `bad-input` that names the parameter. */
export const canonicalAddress = (text: string, parameter: string): string => {
  const address = checkedAddress(text, parameter)
  return canonicalRange(address) ?? address
}

const wrongSource = (wanted: string, given: string, parameter: string): Fault =>
  invalidParameter(parameter, `must be ${wanted}, not ${JSON.stringify(given)}`)
