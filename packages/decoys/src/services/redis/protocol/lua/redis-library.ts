// The library `redis` of scripts, and how replies become values of Lua (redis.io, "Redis Lua API reference").
import { createHash } from 'node:crypto'
import { library, textArgument, type Args, type Native } from './arguments.ts'
import { formatDouble } from '../numbers.ts'
import type { LuaMachine } from './run.ts'
import { LuaError, LuaTable, toNumber, type LuaValue } from './values.ts'

/** What a script asks of its server. */
export interface ScriptHost {
  /** Runs a command, and answers its reply in RESP2. */
  readonly call: (words: readonly string[]) => string
  /** Whether the user may run a command; undefined: there is no such command. */
  readonly mayRun: (words: readonly string[]) => boolean | undefined
}

/** Field of an error that a command has answered: INFO counts it once. Scripts can see it. */
export const IS_COUNTED = 'ignore_error_stats_update'

/** An error that a protected call returns, and any other throws. */
const errorTable = (message: string): LuaTable => LuaTable.from({ err: message })

/** `-CODE text` and `CODE text` keep their code; a single word gets `ERR`. */
function replyTable(text: string): LuaTable {
  const message = text.startsWith('-') ? text.slice(1) : text
  return errorTable(message.includes(' ') ? message : `ERR ${message}`)
}

function wordsOf(args: Args): readonly string[] | LuaTable {
  if (args.length === 0) return errorTable('ERR Please specify at least one argument for this redis lib call')
  const words: string[] = []
  for (const value of args) {
    if (typeof value === 'string') words.push(value)
    else if (typeof value === 'number') words.push(formatDouble(value))
    else return errorTable('ERR Lua redis lib command arguments must be strings or integers')
  }
  return words
}

/** A RESP2 reply as Lua sees it, and where it ends. */
function fromReply(reply: string, at = 0): { readonly value: LuaValue; readonly end: number } {
  const lineEnd = reply.indexOf('\r\n', at)
  const line = reply.slice(at + 1, lineEnd)
  const next = lineEnd + 2
  switch (reply[at]) {
    case '+':
      return { value: LuaTable.from({ ok: line }), end: next }
    case '-':
      return { value: LuaTable.from({ err: line, [IS_COUNTED]: true }), end: next }
    case ':':
      return { value: Number(line), end: next }
    case '$': {
      const length = Number(line)
      return length < 0
        ? { value: false, end: next }
        : { value: reply.slice(next, next + length), end: next + length + 2 }
    }
    default: {
      const items: LuaValue[] = []
      let end = next
      for (let left = Number(line); left > 0; left -= 1) {
        const item = fromReply(reply, end)
        items.push(item.value)
        end = item.end
      }
      return { value: Number(line) < 0 ? false : LuaTable.of(items), end }
    }
  }
}

const CALL_WORK = 40
const HASH_WORK = 100

const calling =
  (machine: LuaMachine, host: ScriptHost, isProtected: boolean): Native =>
  (args) => {
    const words = wordsOf(args)
    machine.spend(CALL_WORK)
    let value: LuaValue = words instanceof LuaTable ? words : undefined
    if (!(words instanceof LuaTable)) {
      const reply = host.call(words)
      machine.spend(reply.length / 4)
      value = fromReply(reply).value
    }
    const isError = value instanceof LuaTable && value.get('err') !== undefined
    if (isError && !isProtected) throw new LuaError(value)
    return [value]
  }

const reply =
  (make: (text: string) => LuaTable): Native =>
  (args) => [
    args.length === 1 && typeof args[0] === 'string'
      ? make(args[0])
      : errorTable('ERR wrong number or type of arguments'),
  ]

const raise = (message: string): LuaError => new LuaError(errorTable(`ERR ${message}`))

const LEVELS = { LOG_DEBUG: 0, LOG_VERBOSE: 1, LOG_NOTICE: 2, LOG_WARNING: 3 }

function log(args: Args): readonly LuaValue[] {
  if (args.length < 2) throw raise('redis.log() requires two arguments or more.')
  const level = toNumber(args[0])
  if (level === undefined) throw raise('First argument must be a number (log level).')
  if (level < 0 || level > 3) throw raise('Invalid debug level.')
  return []
}

export function addRedisLibrary(machine: LuaMachine, host: ScriptHost): void {
  const functions: Record<string, Native> = {
    call: calling(machine, host, false),
    pcall: calling(machine, host, true),
    error_reply: reply(replyTable),
    status_reply: reply((text) => LuaTable.from({ ok: text })),
    log,
    sha1hex: (args) => {
      if (args.length !== 1) throw raise('wrong number of arguments')
      const text = textArgument(args, 0, 'sha1hex')
      machine.spend(HASH_WORK + text.length / 8)
      return [createHash('sha1').update(text, 'latin1').digest('hex')]
    },
    setresp: (args) => {
      if (args.length !== 1) throw raise('redis.setresp() requires one argument.')
      if (args[0] !== 2 && args[0] !== 3) throw raise('RESP version must be 2 or 3.')
      return []
    },
    acl_check_cmd: (args) => {
      const words = wordsOf(args)
      if (words instanceof LuaTable) throw raise('redis.acl_check_cmd() require at least one argument')
      const isAllowed = host.mayRun(words)
      if (isAllowed === undefined) throw raise('Invalid command passed to redis.acl_check_cmd()')
      return [isAllowed]
    },
    breakpoint: () => [false],
    debug: () => [],
    replicate_commands: () => [true],
    set_repl: (args) => {
      if (args.length !== 1) throw raise('redis.set_repl() requires one argument.')
      const flags = toNumber(args[0]) ?? -1
      if ((flags & ~3) !== 0)
        throw raise('Invalid replication flags. Please use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.')
      return []
    },
  }
  machine.globals.set(
    'redis',
    library(functions, {
      ...LEVELS,
      REPL_NONE: 0,
      REPL_AOF: 1,
      REPL_SLAVE: 2,
      REPL_REPLICA: 2,
      REPL_ALL: 3,
      REDIS_VERSION: '7.0.15',
      REDIS_VERSION_NUM: 0x07000f,
    }),
  )
}
