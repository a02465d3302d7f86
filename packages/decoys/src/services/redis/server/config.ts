// CONFIG GET and CONFIG SET over Debian's redis.conf, changed to accept the network without a password.
import defaults from './config.json' with { type: 'json' }
import { cString, ErrorReply, syntaxError } from '../call.ts'
import { globMatches } from '../glob.ts'

const initialValues: Readonly<Record<string, string>> = defaults

export const initialConfig = (): Map<string, string> => new Map(Object.entries(initialValues))

const IMMUTABLE = new Set(
  `daemonize databases supervised pidfile unixsocket logfile aclfile syslog-enabled io-threads io-threads-do-reads
  always-show-logo cluster-enabled cluster-config-file appendfilename appenddirname tcp-backlog aof-use-rdb-preamble
  rdbchecksum disable-thp set-proc-title syslog-ident syslog-facility unixsocketperm bind-source-addr enable-debug-command
  enable-module-command enable-protected-configs server_cpulist bio_cpulist aof_rewrite_cpulist bgsave_cpulist
  ignore-warnings jemalloc-bg-thread cluster-port socket-mark-id`.split(/\s+/),
)
const PROTECTED = new Set(['dir', 'dbfilename'])
const MEMORY_VALUES = new Set([
  'maxmemory',
  'maxmemory-clients',
  'proto-max-bulk-len',
  'client-query-buffer-limit',
  'repl-backlog-size',
  'auto-aof-rewrite-min-size',
  'active-defrag-ignore-bytes',
])
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  loglevel: ['debug', 'verbose', 'notice', 'warning'],
  appendfsync: ['everysec', 'always', 'no'],
  'maxmemory-policy': [
    'volatile-lru',
    'volatile-lfu',
    'volatile-random',
    'volatile-ttl',
    'allkeys-lru',
    'allkeys-lfu',
    'allkeys-random',
    'noeviction',
  ],
}
/** Integers of 64 bits. */
const LONG_VALUES =
  /^(lua-time-limit|busy-reply-threshold|slowlog-log-slower-than|slowlog-max-len|hash-max-(listpack|ziplist)-|set-max-intset-|zset-max-(listpack|ziplist)-|hll-sparse-)/
const MAX_VALUE_LENGTH = 512

/** Names and values in turn. A name without a pattern comes back in the caller's spelling. */
export function readConfig(config: ReadonlyMap<string, string>, patterns: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const pattern of patterns) {
    const name = pattern.toLowerCase()
    if (!/[*?[]/.test(pattern)) {
      const value = config.get(name)
      if (value !== undefined) found.set(pattern, value)
      continue
    }
    for (const [known, value] of config) if (globMatches(name, known)) found.set(known, value)
  }
  return [...found].flat()
}

/** Sets all names and values, or none: the error names the first that is wrong. */
export function writeConfig(config: Map<string, string>, words: readonly string[]): void {
  if (words.length % 2) throw syntaxError()
  const changes = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at]!.toLowerCase()
    if (!config.has(name)) {
      throw new ErrorReply(
        `ERR Unknown option or number of arguments for CONFIG SET - '${cString(words[at]!)}'`,
      )
    }
    changes.set(name, words[at + 1]!)
  }
  for (const [name, value] of changes) {
    const reason = refusalReason(name, value)
    if (reason)
      throw new ErrorReply(`ERR CONFIG SET failed (possibly related to argument '${name}') - ${reason}`)
  }
  for (const [name, value] of changes)
    for (const each of [name, otherName(name)])
      if (config.has(each)) config.set(each, normalized(name, value))
}

const LEAST: Readonly<Record<string, number>> = { maxclients: 1, 'slowlog-log-slower-than': -1 }

/** As C's `strtoll` reads it. */
const isLongInteger = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Some settings have two names: an older one, and the one that replaced it. */
function otherName(name: string): string {
  if (name === 'lua-time-limit') return 'busy-reply-threshold'
  if (name === 'busy-reply-threshold') return 'lua-time-limit'
  const pairs = [
    ['slave', 'replica'],
    ['ziplist', 'listpack'],
  ] as const
  const pair = pairs.find((words) => words.some((word) => name.includes(word)))
  if (!pair) return name
  return name.includes(pair[0]) ? name.replace(pair[0], pair[1]) : name.replace(pair[1], pair[0])
}

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1000,
  kb: 1024,
  m: 1000 ** 2,
  mb: 1024 ** 2,
  g: 1000 ** 3,
  gb: 1024 ** 3,
}
const EVENT_CLASSES = 'g$lshzxetd'

/** The spelling in which CONFIG GET shows a value. */
function normalized(name: string, value: string): string {
  const [, number = '', unit = 'b'] = /^(\d*)([a-z]*)$/i.exec(cString(value)) ?? []
  if (MEMORY_VALUES.has(name)) return String(Number(number) * (UNITS[unit.toLowerCase() || 'b'] ?? 1))
  if (name === 'notify-keyspace-events') return normalizedEvents(value)
  if (/^(yes|no)$/.test(initialValues[name] ?? '') || CHOICES[name]) return value.toLowerCase()
  return value
}

function normalizedEvents(value: string): string {
  const has = (flag: string): boolean => value.includes(flag)
  const classes = has('A') || [...EVENT_CLASSES].every(has) ? 'A' : [...EVENT_CLASSES].filter(has).join('')
  return classes + ['K', 'E', 'm', 'n'].filter(has).join('')
}

function refusalReason(name: string, value: string): string | undefined {
  const initial = initialValues[name] ?? ''
  if (IMMUTABLE.has(name)) return "can't set immutable config"
  if (PROTECTED.has(name)) return "can't set protected config"
  if (MEMORY_VALUES.has(name))
    return /^\d*([kmg]b?|b)?$/i.test(cString(value)) ? undefined : 'argument must be a memory value'
  if (name === 'save' && value !== '' && !/^\d+ \d+( +\d+ +\d+)*$/.test(value))
    return 'Invalid save parameters'
  if (name === 'client-output-buffer-limit' && value.trim() && value.trim().split(/\s+/).length % 4)
    return 'Wrong number of arguments in buffer limit configuration.'
  if (name === 'notify-keyspace-events' && !/^[AKEg$lshzxetdmn]*$/.test(value))
    return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."
  const choices = CHOICES[name]
  if (choices) {
    if (choices.includes(value.toLowerCase())) return undefined
    return `argument(s) must be one of the following: ${choices.join(', ')}`
  }
  if (/^(yes|no)$/.test(initial))
    return /^(yes|no)$/i.test(value) ? undefined : "argument must be 'yes' or 'no'"
  if (/^-?\d+$/.test(initial)) {
    if (!isLongInteger(value)) return "argument couldn't be parsed into an integer"
    const isLong = LONG_VALUES.test(name)
    const most = /port$/.test(name) ? 65_535 : isLong ? Infinity : 2_147_483_647
    const least = initial.startsWith('-') ? -2_147_483_648 : (LEAST[name] ?? 0)
    if (Number(value) < least || Number(value) > most)
      return `argument must be between ${least} and ${isLong ? '9223372036854775807' : most} inclusive`
  }
  return value.length > MAX_VALUE_LENGTH ? 'argument is too long' : undefined
}
