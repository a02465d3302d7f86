// Groups of consumers: no stream has one, and none can be made. Each command has the words of 7.0.15 for a group that is missing.
import { cString, ErrorReply, syntaxError, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, integer, OOM } from '../../../protocol/resp.ts'
import { existingStream, findStream } from './stream-call.ts'
import { readArguments } from './streams.ts'

const NO_KEY =
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.'

/** Printed as texts of C, which end at a NUL. */
const noGroup = (key: string, group: string, more = ''): ErrorReply =>
  new ErrorReply(`NOGROUP No such key '${cString(key)}' or consumer group '${cString(group)}'${more}`)

const noGroupOfKey = (key: string, group: string): ErrorReply =>
  new ErrorReply(`NOGROUP No such consumer group '${cString(group)}' for key name '${cString(key)}'`)

const create: Command = (call) => {
  if (!findStream(call, call.args[2]!) && upper(call.args[5]) !== 'MKSTREAM') throw new ErrorReply(NO_KEY)
  return OOM
}

function checkKey(call: Call): void {
  if (!findStream(call, call.args[2]!)) throw new ErrorReply(NO_KEY)
}

const change: Command = (call) => {
  checkKey(call)
  throw noGroupOfKey(call.args[2]!, call.args[3]!)
}

const claim: Command = (call) => {
  findStream(call, call.args[1]!)
  throw noGroup(call.args[1]!, call.args[2]!)
}

export const streamGroups: Record<string, Command> = {
  xack: (call) => {
    findStream(call, call.args[1]!)
    return integer(0)
  },
  xpending: claim,
  xclaim: claim,
  xautoclaim: claim,
  xreadgroup: (call) => {
    if (upper(call.args[1]) !== 'GROUP') throw syntaxError()
    const [key = ''] = readArguments(call, 4, true).keys
    findStream(call, key)
    throw noGroup(key, call.args[2]!, ' in XREADGROUP with GROUP option')
  },
  'xgroup|create': create,
  'xgroup|createconsumer': change,
  'xgroup|delconsumer': change,
  'xgroup|setid': change,
  'xgroup|destroy': (call) => {
    checkKey(call)
    return integer(0)
  },
  'xinfo|consumers': (call) => {
    existingStream(call)
    throw noGroupOfKey(call.args[2]!, call.args[3]!)
  },
  'xinfo|groups': (call) => {
    existingStream(call)
    return array([])
  },
}
