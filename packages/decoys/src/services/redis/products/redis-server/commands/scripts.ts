// EVAL and SCRIPT: runs Lua within limits, and says what Redis says of scripts that fail.
import { createHash } from 'node:crypto'
import { permissionError } from '../access/permissions.ts'
import { TooMuchWork } from '../../../../../session/line-work.ts'
import { ErrorReply, toInteger } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { lookUp } from '../command-table/table.ts'
import {
  compileError,
  replyOf,
  runScript,
  uncountedErrors,
  type ScriptOutcome,
} from '../../../protocol/lua/script.ts'
import { array, bulk, integer, OK } from '../../../protocol/resp.ts'
import { CountedErrorReply, countError } from '../server/error-counts.ts'
import { readShebang } from './shebang.ts'

/** Runs a command inside a script; its reply is RESP2. */
export type RunInside = (call: Call, words: readonly string[], isReadOnly: boolean) => string

const MAX_SCRIPTS = 64
const MAX_SCRIPT_LENGTH = 4_096
/** All scripts of a listener together get so much work a second. */
const WORK_A_MS = 2_000
/** Beyond, a new script finds another one running. */
const MAX_BACKLOG_MS = 1_000
/** How long a script runs that never ends, until someone kills it. */
const ENDLESS_MS = 5_000

const hashOf = (script: string): string => createHash('sha1').update(script, 'latin1').digest('hex')

function keep({ server }: Call, script: string): string {
  const hash = hashOf(script)
  if (server.scripts.size < MAX_SCRIPTS && script.length <= MAX_SCRIPT_LENGTH)
    server.scripts.set(hash, script)
  return hash
}

const compileFailure = (message: string): ErrorReply =>
  new ErrorReply(`ERR Error compiling script (new function): ${message}`)

function run(call: Call, script: string, isReadOnly: boolean, runInside: RunInside): string {
  const { args, server, client } = call
  const now = server.steady(call.now)
  const count = toInteger(args[2])
  if (count > args.length - 3) throw new ErrorReply("ERR Number of keys can't be greater than number of args")
  if (count < 0) throw new ErrorReply("ERR Number of keys can't be negative")
  const { code, mayNotWrite } = readShebang(script)
  if (server.scriptsBusyUntil - now > MAX_BACKLOG_MS)
    throw new ErrorReply(
      'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    )
  const given = { keys: args.slice(3, 3 + count), args: args.slice(3 + count) }
  const before = call.work.spent
  const host = {
    call: (words: readonly string[]) => runInside(call, words, isReadOnly || mayNotWrite),
    mayRun(words: readonly string[]) {
      const spec = lookUp(words)
      return spec && permissionError(client.user, spec, words, call.work.spend) === undefined
    },
  }
  try {
    return outcomeReply(call, script, runScript(code, given, host, call.work))
  } catch (thrown) {
    throw thrown instanceof TooMuchWork ? killed(call, script) : thrown
  } finally {
    server.scriptsBusyUntil = Math.max(now, server.scriptsBusyUntil) + (call.work.spent - before) / WORK_A_MS
    const waitMs = Math.max(client.waitMs ?? 0, Math.floor(server.scriptsBusyUntil - now))
    if (waitMs > 0) client.waitMs = waitMs
  }
}

/** Somebody has lost patience with the script. */
function killed(call: Call, script: string): ErrorReply {
  call.client.waitMs = ENDLESS_MS
  return new ErrorReply(
    `ERR Error running script, Script killed by user with SCRIPT KILL. script: ${keep(call, script)}, on @user_script:1.`,
  )
}

/** A result is work, too: a table may hold another one a thousand times. */
function outcomeReply(call: Call, script: string, outcome: ScriptOutcome): string {
  if (outcome.kind === 'syntax-error') throw compileFailure(outcome.message)
  const hash = keep(call, script)
  if (outcome.kind === 'value') {
    for (const message of uncountedErrors(outcome.value, call.work)) countError(call, message)
    return replyOf(outcome.value, call.client.resp, call.work)
  }
  const message = `${outcome.message} script: ${hash}, on @user_script:${outcome.line}.`
  throw outcome.isCounted ? new CountedErrorReply(message) : new ErrorReply(message)
}

const NO_SCRIPT = 'NOSCRIPT No matching script. Please use EVAL.'

export const scripts = (runInside: RunInside): Record<string, Command> => {
  const evaluate =
    (isReadOnly: boolean): Command =>
    (call) =>
      run(call, call.args[1]!, isReadOnly, runInside)
  const evaluateKept =
    (isReadOnly: boolean): Command =>
    (call) => {
      const hash = call.args[1]!.toLowerCase()
      if (hash.length !== 40) throw new ErrorReply(NO_SCRIPT)
      const script = call.server.scripts.get(hash)
      if (script !== undefined) return run(call, script, isReadOnly, runInside)
      const count = toInteger(call.args[2])
      if (count > call.args.length - 3)
        throw new ErrorReply("ERR Number of keys can't be greater than number of args")
      if (count < 0) throw new ErrorReply("ERR Number of keys can't be negative")
      throw new ErrorReply(NO_SCRIPT)
    }
  return {
    eval: evaluate(false),
    eval_ro: evaluate(true),
    evalsha: evaluateKept(false),
    evalsha_ro: evaluateKept(true),
    'script|load': (call) => {
      const message = compileError(readShebang(call.args[2]!).code, call.work)
      if (message !== undefined) throw compileFailure(message)
      return bulk(keep(call, call.args[2]!))
    },
    'script|exists': ({ args, server }) =>
      array(args.slice(2).map((hash) => integer(server.scripts.has(hash.toLowerCase()) ? 1 : 0))),
    'script|flush': ({ args, server }) => {
      if (args.length > 3 || (args[2] !== undefined && !/^a?sync$/i.test(args[2]))) {
        throw new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option')
      }
      server.scripts.clear()
      return OK
    },
    'script|debug': ({ args }) => {
      if (/^(yes|sync|no)$/i.test(args[2]!)) return OK
      throw new ErrorReply('ERR Use SCRIPT DEBUG YES/SYNC/NO')
    },
  }
}
