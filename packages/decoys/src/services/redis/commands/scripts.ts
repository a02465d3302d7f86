// EVAL and SCRIPT: what runs, and what Redis says of scripts that it cannot compile or that fail.
import { createHash } from 'node:crypto'
import { ErrorReply, toInteger, type Call, type Command } from '../call.ts'
import { LuaReadOnly, LuaSyntaxError, LuaUnsupported, runLua, type LuaValue } from '../lua.ts'
import { array, bulk, error, integer, nil, OK, status } from '../resp.ts'

/** Runs a command inside a script; its reply is RESP2. */
export type RunInside = (call: Call, words: readonly string[]) => string

const MAX_SCRIPTS = 64
const MAX_SCRIPT_LENGTH = 4_096

const hashOf = (script: string): string => createHash('sha1').update(script, 'latin1').digest('hex')

function keep({ server }: Call, script: string): string {
  const hash = hashOf(script)
  if (server.scripts.size < MAX_SCRIPTS && script.length <= MAX_SCRIPT_LENGTH)
    server.scripts.set(hash, script)
  return hash
}

/** A RESP2 reply as Lua sees it, and where it ends. */
function fromReply(reply: string, at = 0): { readonly value: LuaValue; readonly end: number } {
  const lineEnd = reply.indexOf('\r\n', at)
  const line = reply.slice(at + 1, lineEnd)
  const next = lineEnd + 2
  switch (reply[at]) {
    case '+':
      return { value: { ok: line }, end: next }
    case '-':
      return { value: { err: line }, end: next }
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
      return { value: Number(line) < 0 ? false : items, end }
    }
  }
}

function toReply(value: LuaValue, call: Call): string {
  if (typeof value === 'string') return bulk(value)
  if (typeof value === 'number') return integer(BigInt(Number.isFinite(value) ? Math.trunc(value) : 0))
  if (value === true) return integer(1)
  if (value === undefined || value === false) return nil(call.client.resp)
  if (!Array.isArray(value)) {
    if ('ok' in value) return status(value.ok)
    return error(/^[A-Z]+ /.test(value.err) ? value.err : `ERR ${value.err}`)
  }
  const end = value.indexOf(undefined)
  return array((end < 0 ? value : value.slice(0, end)).map((item) => toReply(item, call)))
}

function run(call: Call, script: string, runInside: RunInside): string {
  const count = toInteger(call.args[2])
  if (count < 0) throw new ErrorReply("ERR Number of keys can't be negative")
  if (count > call.args.length - 3)
    throw new ErrorReply("ERR Number of keys can't be greater than number of args")
  const place = `script: ${hashOf(script)}, on @user_script:1.`
  const keys = call.args.slice(3, 3 + count)
  const args = call.args.slice(3 + count)
  try {
    const value = runLua(script, {
      keys,
      args,
      call(words, isProtected) {
        const { value } = fromReply(runInside(call, words))
        const isError = typeof value === 'object' && 'err' in value
        if (isError && !isProtected) throw new ErrorReply(`${value.err} ${place}`)
        return value
      },
    })
    keep(call, script)
    return toReply(value, call)
  } catch (thrown) {
    if (thrown instanceof LuaSyntaxError)
      throw new ErrorReply(`ERR Error compiling script (new function): user_script:1: ${thrown.message}`)
    if (thrown instanceof LuaReadOnly)
      throw new ErrorReply(`ERR user_script:1: Attempt to modify a readonly table ${place}`)
    if (!(thrown instanceof LuaUnsupported)) throw thrown
    const name =
      /\b(package|io|os|require|dofile|loadfile|debug)\b/.exec(script)?.[1] ?? (thrown.message || 'package')
    throw new ErrorReply(
      `ERR user_script:1: Script attempted to access nonexistent global variable '${name}' ${place}`,
    )
  }
}

const NO_SCRIPT = 'NOSCRIPT No matching script. Please use EVAL.'

export const scripts = (runInside: RunInside): Record<string, Command> => {
  const evaluate: Command = (call) => run(call, call.args[1]!, runInside)
  const evaluateKept: Command = (call) => {
    toInteger(call.args[2])
    const script = call.server.scripts.get(call.args[1]!.toLowerCase())
    if (script === undefined) throw new ErrorReply(NO_SCRIPT)
    return run(call, script, runInside)
  }
  return {
    eval: evaluate,
    eval_ro: evaluate,
    evalsha: evaluateKept,
    evalsha_ro: evaluateKept,
    'script|load': (call) => bulk(keep(call, call.args[2]!)),
    'script|exists': ({ args, server }) =>
      array(args.slice(2).map((hash) => integer(server.scripts.has(hash.toLowerCase()) ? 1 : 0))),
    'script|flush': ({ args, server }) => {
      if (args.length > 3 || (args[2] && !/^a?sync$/i.test(args[2]))) {
        throw new ErrorReply('ERR SCRIPT FLUSH only support SYNC|ASYNC option')
      }
      server.scripts.clear()
      return OK
    },
  }
}
