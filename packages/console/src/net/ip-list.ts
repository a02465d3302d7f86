// Lists of addresses to ignore: an address, a CIDR range, either with a port, and in a Flock's list a port alone;
// `#` starts a comment. Lines are stored as they were written, and compiled for the check of every touch.
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
}

export interface IpList {
  readonly isEmpty: boolean
  /** Without a port only entries for every port count; without an address only those for every address. */
  has(address: Address | undefined, port?: number): boolean
}

/** What a line may hold. */
export interface LineRules {
  /** The parameter that the lines came in. */
  readonly parameter: string
  readonly ports?: boolean
  readonly portAlone?: boolean
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
  const { ports = true, portAlone = false } = rules
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text)
  const unbracketed = /^([^:]*):(\d{1,5})$/.exec(text)
  const range = bracketed?.[1] ?? unbracketed?.[1] ?? text
  const portText = bracketed ? bracketed[2] : unbracketed?.[2]
  const port = portText === undefined ? undefined : Number(portText)
  const isRange = range === '' ? portAlone && port !== undefined : readRange(range) !== undefined
  if (isRange && (port === undefined || (ports && port <= 65_535))) {
    if (rules.refusesWide) refuseWide(range, rules.parameter)
    return { range: range === '' ? undefined : range, port }
  }
  throw wrongLine(line, rules.parameter, wanted(ports, portAlone))
}

const wanted = (ports: boolean, portAlone: boolean): string =>
  `an IP address${ports ? ',' : ' or'} a CIDR range${ports ? (portAlone ? ', ip:port or :port' : ' or ip:port') : ''}`

/** The `bad-input` that names a line, and what each line must be. */
export const wrongLine = (line: string, parameter: string, wanted: string): Fault =>
  invalidParameter(
    parameter,
    `must have ${wanted} on each line, not ${JSON.stringify(line.slice(0, SHOWN_CHARACTERS))}`,
  )

/** A `bad-input` at a range wider than /8 (IPv6: /16). */
export function refuseWide(text: string, parameter: string): void {
  const range = readRange(text)
  if (!range || !isWide(range)) return
  throw invalidParameter(
    parameter,
    `must have no range wider than /${WIDEST.v4} (IPv6: /${WIDEST.v6}) unless force is true, not ${JSON.stringify(text)}`,
  )
}

/** An address or CIDR range, to one port or to all, as a line. */
export function ipLine(address: string, port: number | undefined): string {
  if (port === undefined) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
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
  const everyPort = openAddressSet()
  const byPort = new Map<number, AddressSet>()
  const everyAddress = new Set<number>()
  let isEmpty = true
  for (const line of lines) {
    const entry = parseIpLine(line, { parameter: 'list', portAlone: true })
    if (!entry) continue
    isEmpty = false
    const { port } = entry
    const range = entry.range === undefined ? undefined : readRange(entry.range)
    if (range === undefined) everyAddress.add(port ?? -1)
    else if (port === undefined) everyPort.add(range)
    else {
      const list = byPort.get(port) ?? openAddressSet()
      byPort.set(port, list)
      list.add(range)
    }
  }
  return {
    isEmpty,
    has(address, port) {
      if (port !== undefined && everyAddress.has(port)) return true
      if (address === undefined) return false
      if (everyPort.has(address)) return true
      return port !== undefined && (byPort.get(port)?.has(address) ?? false)
    },
  }
}

/** The first line that covers the address or range: to this port, or to every port. Without `range`, a line `:port`. */
export const coveringLine = (
  lines: readonly string[],
  range: string | undefined,
  port: number | undefined,
): string | undefined => lineFinder(lines)(range, port)

/** `coveringLine` of lines that are asked often; they are parsed at the first question. */
export function lineFinder(
  lines: readonly string[],
): (range: string | undefined, port: number | undefined) => string | undefined {
  let parsed: {
    readonly line: string
    readonly port: number | undefined
    readonly outer: Range | undefined
  }[]
  const parseAll = (): typeof parsed =>
    lines.flatMap((line) => {
      const entry = parseIpLine(line, { parameter: 'list', portAlone: true })
      if (!entry) return []
      const outer = entry.range === undefined ? undefined : readRange(entry.range)
      return [{ line, port: entry.port, outer }]
    })
  return (range, port) => {
    const inner = range === undefined ? undefined : readRange(range)
    return (parsed ??= parseAll()).find(
      (it) =>
        (it.port === undefined || it.port === port) &&
        (it.outer === undefined || (inner !== undefined && covers(it.outer, inner))),
    )?.line
  }
}

/** The union of the lists. */
export const unionOf = (lists: readonly IpList[]): IpList => ({
  isEmpty: lists.every((list) => list.isEmpty),
  has: (address, port) => lists.some((list) => list.has(address, port)),
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
