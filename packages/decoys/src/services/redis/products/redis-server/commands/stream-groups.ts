// Groups of consumers: XGROUP, XACK. XINFO: stream-info.ts. Entries that were read and not acknowledged: stream-pending.ts.
import {
  countChanges,
  cString,
  ErrorReply,
  toInteger,
  upper,
  wrongSubcommand,
  type Call,
  type Command,
} from '../call.ts'
import { integer } from '../../../protocol/resp.ts'
import { FIRST_ID, idText, type Stream, type StreamGroup } from '../values/stream.ts'
import { findOrCreateStream, findStream, seeConsumer, toId } from './stream-call.ts'

const NO_KEY =
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.'

/** With one of each option. */
const MAX_CREATE_WORDS = 8
const MAX_SETID_WORDS = 7

interface GroupOptions {
  readonly makesStream: boolean
  readonly entriesRead: number | undefined
}

/** In their order: a count that is none is refused before an unknown word behind it. */
function groupOptions(call: Call, canMakeStream: boolean): GroupOptions {
  const words = call.args.slice(5)
  let options: GroupOptions = { makesStream: false, entriesRead: undefined }
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    if (canMakeStream && word === 'MKSTREAM') options = { ...options, makesStream: true }
    else if (word === 'ENTRIESREAD' && at + 1 < words.length)
      options = { ...options, entriesRead: readCount(words[(at += 1)]!) }
    else throw wrongSubcommand(call)
  }
  return options
}

const createGroup: Command = (call) => {
  const [, , key = '', name = '', idWord] = call.args
  const { makesStream, entriesRead } = groupOptions(call, true)
  const stream = findStream(call, key)
  if (!stream && !makesStream) throw new ErrorReply(NO_KEY)
  if (call.args.length > MAX_CREATE_WORDS) throw wrongSubcommand(call)
  const id = idWord === '$' ? (stream?.lastId ?? FIRST_ID) : toId(idWord)
  const { groups } = stream ?? findOrCreateStream(call, key)
  if (groups.has(name)) throw new ErrorReply('BUSYGROUP Consumer Group name already exists')
  groups.set(name, { lastId: id, entriesRead, consumers: new Map(), pending: new Map() })
  return '+OK\r\n'
}

const destroyGroup: Command = (call) => {
  const stream = findStream(call, call.args[2]!)
  if (!stream) throw new ErrorReply(NO_KEY)
  return integer(stream.groups.delete(call.args[3]!) ? 1 : 0)
}

/** Of ENTRIESREAD; undefined for -1. */
function readCount(text: string): number | undefined {
  const count = toInteger(text)
  if (count < -1) throw new ErrorReply('ERR value for ENTRIESREAD must be positive or -1')
  return count < 0 ? undefined : count
}

export const noSuchGroup = (key: string, name: string): ErrorReply =>
  new ErrorReply(`NOGROUP No such consumer group '${cString(name)}' for key name '${cString(key)}'`)

/** The group of a subcommand that needs key and group. */
function knownGroup(call: Call): { readonly stream: Stream; readonly group: StreamGroup } {
  const [, , key = '', name = ''] = call.args
  const stream = findStream(call, key)
  if (!stream) throw new ErrorReply(NO_KEY)
  const group = stream.groups.get(name)
  if (!group) throw noSuchGroup(key, name)
  return { stream, group }
}

const setGroupId: Command = (call) => {
  const { entriesRead } = groupOptions(call, false)
  const { stream, group } = knownGroup(call)
  if (call.args.length > MAX_SETID_WORDS) throw wrongSubcommand(call)
  const id = call.args[4]
  group.lastId = id === '$' ? stream.lastId : toId(id)
  group.entriesRead = entriesRead
  return '+OK\r\n'
}

const createConsumer: Command = (call) => {
  const { group } = knownGroup(call)
  const name = call.args[4]!
  if (group.consumers.has(name)) return integer(0)
  seeConsumer(call, group, name)
  return integer(1)
}

const deleteConsumer: Command = (call) => {
  const { consumers, pending } = knownGroup(call).group
  const name = call.args[4]!
  const own = [...pending].filter(([, { consumer }]) => consumer === name)
  countChanges(call, consumers.delete(name) ? 1 : 0)
  for (const [id] of own) pending.delete(id)
  return integer(own.length)
}

export const streamGroups: Record<string, Command> = {
  xack: (call) => {
    const group = findStream(call, call.args[1]!)?.groups.get(call.args[2]!)
    if (!group) return integer(0)
    const ids = call.args.slice(3).map((text) => idText(toId(text)))
    return integer(ids.filter((id) => group.pending.delete(id)).length)
  },
  'xgroup|create': createGroup,
  'xgroup|createconsumer': createConsumer,
  'xgroup|delconsumer': deleteConsumer,
  'xgroup|destroy': destroyGroup,
  'xgroup|setid': setGroupId,
}
