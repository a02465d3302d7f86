// What CONFIG SET takes for each setting, and how CONFIG GET shows it then. `config-kinds.json` is what Redis 7.0.15 said to values
// of every kind, setting by setting.
import { cString } from '../arguments.ts'
import groups from './config-kinds.json' with { type: 'json' }

/** A list has the words that are taken; limits are included. */
type Kind = string | readonly string[] | { readonly memory: number } | { readonly integer: readonly string[] }

const kinds = new Map<string, Kind>(
  groups.flatMap(({ kind, names }) => names.map((name) => [name, kind] as const)),
)

const MOST = 2n ** 63n - 1n
const WORD_BITS = 64

/** Why a value is refused; undefined: it is not. */
export function refusal(name: string, value: string): string | undefined {
  const kind = kinds.get(name) ?? 'text'
  return kindRefusal(name, kind, value) ?? REFUSALS[name]?.(value)
}

function kindRefusal(name: string, kind: Kind, value: string): string | undefined {
  if (kind === 'immutable' || kind === 'protected') return `can't set ${kind} config`
  if (kind === 'boolean') return /^(yes|no)$/i.test(value) ? undefined : "argument must be 'yes' or 'no'"
  if (kind === 'memory or percent') return percentRefusal(value)
  if (typeof kind === 'string') return undefined
  if ('memory' in kind) {
    const bytes = memoryBytes(value)
    if (bytes === undefined) return 'argument must be a memory value'
    return name === 'maxmemory' ? undefined : between(bytes, BigInt(kind.memory), MOST)
  }
  if ('integer' in kind) {
    const number = longInteger(value)
    if (number === undefined) return "argument couldn't be parsed into an integer"
    const [least = '0', most = '0'] = kind.integer
    return between(number, BigInt(least), BigInt(most))
  }
  // Several words where they are flags.
  const words = FLAGS.has(name) ? value.split(' ') : [value]
  const areKnown = words.every((word) => kind.includes(word.toLowerCase()))
  return areKnown ? undefined : `argument(s) must be one of the following: ${kind.join(', ')}`
}

const FLAGS = new Set(['shutdown-on-sigint', 'shutdown-on-sigterm'])

const between = (value: bigint, least: bigint, most: bigint): string | undefined =>
  value < least || value > most ? `argument must be between ${least} and ${most} inclusive` : undefined

function percentRefusal(value: string): string | undefined {
  const percent = /^(\d+)%$/.exec(value)?.[1]
  if (percent !== undefined)
    return BigInt(percent) > 100n ? 'percentage argument must be less or equal to 100' : undefined
  return memoryBytes(value) === undefined ? 'argument must be a memory or percent value' : undefined
}

/** As `string2ll` reads it: without a sign but minus, without leading zeros. */
function longInteger(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const number = BigInt(text)
  return BigInt.asIntN(WORD_BITS, number) === number ? number : undefined
}

const UNITS: Readonly<Record<string, bigint>> = {
  '': 1n,
  b: 1n,
  k: 1000n,
  kb: 1024n,
  m: 1000n ** 2n,
  mb: 1024n ** 2n,
  g: 1000n ** 3n,
  gb: 1024n ** 3n,
}

/** As `memtoull` reads it: the number stops at the largest, its product with the unit overflows. */
function memoryBytes(text: string): bigint | undefined {
  const [, digits, unit = ''] = /^(\d*)([a-z]*)$/i.exec(cString(text)) ?? []
  const factor = UNITS[unit.toLowerCase()]
  if (digits === undefined || factor === undefined) return undefined
  const most = 2n ** BigInt(WORD_BITS) - 1n
  const number = BigInt(digits === '' ? '0' : digits.slice(0, 40))
  return BigInt.asUintN(WORD_BITS, (number > most ? most : number) * factor)
}

const NO_TLS = 'Unable to update TLS configuration. Check server logs.'
const noTls = (value: string): string | undefined => (/^(no|0)$/i.test(value) ? undefined : NO_TLS)
/** The limit of open files that Debian's unit sets, less those that the server needs itself. */
const MAX_CLIENTS = 65_503
const OVERFLOWS_FROM = 2 ** 32 - 32
const TITLE_WORDS = ['listen-addr', 'server-mode', 'port', 'tls-port', 'unixsocket', 'config-file']

/** What is asked besides the kind. */
const REFUSALS: Readonly<Record<string, (value: string) => string | undefined>> = {
  activedefrag: (value) =>
    /^yes$/i.test(value)
      ? 'Active defragmentation cannot be enabled: it requires a Redis server compiled with a modified Jemalloc like the one shipped by default with the Redis source distribution'
      : undefined,
  'tls-cluster': noTls,
  'tls-replication': noTls,
  'tls-port': noTls,
  save: (value) =>
    value === '' || /^[1-9]\d* \d+( [1-9]\d* \d+)*$/.test(value) ? undefined : 'Invalid save parameters',
  maxclients: (value) =>
    Number(value) > MAX_CLIENTS && Number(value) < OVERFLOWS_FROM
      ? `The operating system is not able to handle the specified number of clients, try with ${MAX_CLIENTS}`
      : undefined,
  'notify-keyspace-events': (value) =>
    /^[AKEg$lshzxetdmn]*$/.test(value) ? undefined : "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.",
  'latency-tracking-info-percentiles': percentilesRefusal,
  'client-output-buffer-limit': limitsRefusal,
  'oom-score-adj-values': scoresRefusal,
  'cluster-announce-hostname': (value) => {
    if (value.length >= 256) return 'Hostnames must be less than 256 characters'
    const isName = /^[a-z\d.-]*$/i.test(value)
    return isName ? undefined : 'Hostnames may only contain alphanumeric characters, hyphens or dots'
  },
  'proc-title-template': (value) => {
    // Tried out without a title.
    const tried = value.replace(/\{([a-z-]+)\}/g, (all, word: string) =>
      word === 'title' ? '' : TITLE_WORDS.includes(word) ? 'x' : all,
    )
    const isValid = tried.trim() !== '' && !/[{}]/.test(tried)
    return isValid ? undefined : 'template format is invalid or contains unknown variables'
  },
  'shutdown-on-sigint': shutdownRefusal,
  'shutdown-on-sigterm': shutdownRefusal,
}

function shutdownRefusal(value: string): string | undefined {
  const words = value.toLowerCase().split(' ')
  return words.includes('save') && words.includes('nosave')
    ? "shutdown options SAVE and NOSAVE can't be used simultaneously"
    : undefined
}

const wordsOf = (value: string): string[] => value.trim().split(/\s+/).filter(Boolean)

function percentilesRefusal(value: string): string | undefined {
  const name = 'latency-tracking-info-percentiles'
  const words = value === '' ? [] : value.split(' ')
  const numbers = words.map((word) => (word === '' ? NaN : Number(word)))
  if (numbers.some(Number.isNaN)) return `Invalid ${name} parameters`
  const areWithin = numbers.every((number) => number >= 0 && number <= 100)
  return areWithin ? undefined : `${name} parameters should sit between [0.0,100.0]`
}

function scoresRefusal(value: string): string | undefined {
  const words = wordsOf(value)
  if (words.length !== 3) return 'wrong number of arguments'
  const areScores = words.every((word) => /^-?\d{1,4}$/.test(word) && Math.abs(Number(word)) <= 2_000)
  return areScores ? undefined : 'Invalid oom-score-adj-values, elements must be between -2000 and 2000.'
}

/** Class, hard and soft limit, seconds. */
const limitsOf = (value: string): (readonly string[])[] => {
  const words = wordsOf(value)
  return Array.from({ length: Math.ceil(words.length / 4) }, (_, at) => words.slice(4 * at, 4 * at + 4))
}

function limitsRefusal(value: string): string | undefined {
  const end = 'in buffer limit configuration.'
  if (limitsOf(value).some((words) => words.length < 4)) return `Wrong number of arguments ${end}`
  for (const [name = '', hard, soft, seconds = ''] of limitsOf(value)) {
    if (!/^(normal|slave|replica|pubsub)$/i.test(name)) return `Invalid client class specified ${end}`
    const areSizes = [hard, soft].every((size) => memoryBytes(size ?? '') !== undefined)
    if (!areSizes || !/^\d+$/.test(seconds)) return `Error in hard, soft or soft_seconds setting ${end}`
  }
  return undefined
}

/** The spelling in which CONFIG GET shows a value that was taken; `before` is what it showed until then. */
export function shown(name: string, value: string, before: string): string {
  const special = SHOWN[name]
  if (special) return special(value, before)
  const kind = kinds.get(name) ?? 'text'
  if (kind === 'memory or percent') return /^0+%$/.test(value) ? '0' : percentOrBytes(value)
  if (kind === 'boolean' || Array.isArray(kind)) return value.toLowerCase()
  return typeof kind === 'object' && 'memory' in kind ? String(memoryBytes(value)) : value
}

const percentOrBytes = (value: string): string => (value.endsWith('%') ? value : String(memoryBytes(value)))
const clamped = (least: number, most: number) => (value: string) =>
  String(Math.min(most, Math.max(least, Number(value))))

const SHOWN: Readonly<Record<string, (value: string, before: string) => string>> = {
  hz: clamped(1, 500),
  'repl-backlog-size': (value) => clamped(16_384, Infinity)(String(memoryBytes(value))),
  'notify-keyspace-events': shownEvents,
  'latency-tracking-info-percentiles': (value) => wordsOf(value).map(Number).join(' '),
  'client-output-buffer-limit': shownLimits,
}

const EVENT_CLASSES = 'g$lshzxetd'

function shownEvents(value: string): string {
  const has = (flag: string): boolean => value.includes(flag)
  const classes = has('A') || [...EVENT_CLASSES].every(has) ? 'A' : [...EVENT_CLASSES].filter(has).join('')
  return classes + ['K', 'E', 'm', 'n'].filter(has).join('')
}

/** Classes that are not named keep their limits. */
function shownLimits(value: string, before: string): string {
  const limits = new Map<string, string>()
  for (const [name = '', hard = '', soft = '', seconds = ''] of [...limitsOf(before), ...limitsOf(value)]) {
    const known = name.toLowerCase().replace('replica', 'slave')
    limits.set(known, `${known} ${memoryBytes(hard)} ${memoryBytes(soft)} ${Number(seconds)}`)
  }
  return [...limits.values()].join(' ')
}
