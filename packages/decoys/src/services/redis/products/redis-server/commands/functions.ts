// FUNCTION and FCALL: no library can be loaded, but each way to fail has the words of 7.0.15.
import { ErrorReply, upper, wrongSubcommand } from '../arguments.ts'
import type { Command } from '../model/call.ts'
import { dumpFooter, isPayload } from '../rdb/payload.ts'
import { array, bulk, integer, map, nil, OK, OOM } from '../../../protocol/resp.ts'

const fail =
  (message: string): Command =>
  () => {
    throw new ErrorReply(message)
  }

/** `#!<engine> name=<library>` in the first line, then the code. */
function checkLibrary(code: string): void {
  if (!code.startsWith('#!')) throw new ErrorReply('ERR Missing library metadata')
  const end = code.indexOf('\n')
  if (end < 0) throw new ErrorReply('ERR Invalid library metadata')
  const [engine = '', ...facts] = code.slice(2, end).split(/\s+/).filter(Boolean)
  let name: string | undefined
  for (const fact of facts) {
    if (!/^name=/i.test(fact)) throw new ErrorReply(`ERR Invalid metadata value given: ${fact}`)
    if (name !== undefined)
      throw new ErrorReply('ERR Invalid metadata value, name argument was given multiple times')
    name = fact.slice('name='.length)
  }
  if (name === undefined) throw new ErrorReply('ERR Library name was not given')
  if (!/^\w+$/.test(name))
    throw new ErrorReply(
      'ERR Library names can only contain letters, numbers, or underscores(_) and must be at least one character long',
    )
  if (engine.toLowerCase() !== 'lua') throw new ErrorReply(`ERR Engine '${engine}' not found`)
  if (!code.includes('register_function')) throw new ErrorReply('ERR No functions registered')
}

export const functions: Record<string, Command> = {
  fcall: fail('ERR Function not found'),
  fcall_ro: fail('ERR Function not found'),
  'function|kill': fail('NOTBUSY No scripts in execution right now.'),
  'function|delete': fail('ERR Library not found'),
  'function|dump': () => bulk(dumpFooter('')),
  'function|restore': (call) => {
    const { args } = call
    const policy = upper(args[3])
    if (args.length > 4) throw wrongSubcommand(call)
    if (args.length === 4 && !/^(FLUSH|APPEND|REPLACE)$/.test(policy))
      throw new ErrorReply('ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.')
    if (!isPayload(args[2]!)) throw new ErrorReply('ERR DUMP payload version or checksum are wrong')
    return args[2] === dumpFooter('') ? OK : OOM
  },
  'function|load': ({ args }) => {
    const unknown = args.slice(2, -1).find((word) => upper(word) !== 'REPLACE')
    if (unknown !== undefined) throw new ErrorReply(`ERR Unknown option given: ${unknown}`)
    checkLibrary(args.at(-1)!)
    return OOM
  },
  'function|list': ({ args }) => {
    for (let at = 2; at < args.length; at += 1) {
      const word = upper(args[at])
      if (word === 'LIBRARYNAME') {
        if (args[at + 1] === undefined) throw new ErrorReply('ERR library name argument was not given')
        at += 1
      } else if (word !== 'WITHCODE') throw new ErrorReply(`ERR Unknown argument ${args[at]!}`)
    }
    return array([])
  },
  'function|flush': (call) => {
    const { args } = call
    if (args.length > 3) throw wrongSubcommand(call)
    if (args.length === 3 && !/^A?SYNC$/.test(upper(args[2])))
      throw new ErrorReply('ERR FUNCTION FLUSH only supports SYNC|ASYNC option')
    return OK
  },
  'function|stats': ({ client }) => {
    const counts = [bulk('libraries_count'), integer(0), bulk('functions_count'), integer(0)]
    const engines = map([bulk('LUA'), map(counts, client.resp)], client.resp)
    return map([bulk('running_script'), nil(client.resp), bulk('engines'), engines], client.resp)
  },
}
