// Groups of consumers: XGROUP, XACK, XINFO. Entries that were read and not acknowledged: stream-pending.ts.
import { cString, ErrorReply, find, syntaxError, toInteger, upper, type Call, type Command } from '../call.ts'
import { array, bulk, integer, map, nil } from '../resp.ts'
import { FIRST_ID, idText, lagOf, type Stream, type StreamGroup } from '../stream.ts'
import { entryReply, findOrCreateStream, findStream, seeConsumer, toId } from './stream-call.ts'

const NO_KEY =
  'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.'

const createGroup: Command = (call) => {
  const [, , key = '', name = '', idWord, ...options] = call.args
  const makes = options.some((word) => upper(word) === 'MKSTREAM')
  const read = options.findIndex((word) => upper(word) === 'ENTRIESREAD')
  const known = options.every(
    (word, i) => upper(word) === 'MKSTREAM' || (read >= 0 && (i === read || i === read + 1)),
  )
  if (!known) {
    throw new ErrorReply("ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP.")
  }
  if (read >= 0) readCount(options[read + 1])
  const stream = findStream(call, key)
  if (!stream && !makes) throw new ErrorReply(NO_KEY)
  const id = idWord === '$' ? (stream?.lastId ?? FIRST_ID) : toId(idWord)
  const { groups } = stream ?? findOrCreateStream(call, key)
  if (groups.has(name)) throw new ErrorReply('BUSYGROUP Consumer Group name already exists')
  groups.set(name, {
    lastId: id,
    entriesRead: readCount(read < 0 ? undefined : options[read + 1]),
    consumers: new Map(),
    pending: new Map(),
  })
  return '+OK\r\n'
}

const destroyGroup: Command = (call) => {
  const stream = findStream(call, call.args[2]!)
  if (!stream) throw new ErrorReply(NO_KEY)
  return integer(stream.groups.delete(call.args[3]!) ? 1 : 0)
}

/** Of ENTRIESREAD; undefined without it, and for -1. */
function readCount(text: string | undefined): number | undefined {
  const count = text === undefined ? -1 : toInteger(text)
  if (count < -1) throw new ErrorReply('ERR value for ENTRIESREAD must be positive or -1')
  return count < 0 ? undefined : count
}

const noSuchGroup = (key: string, name: string): ErrorReply =>
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
  const [, , , , id, option, read] = call.args
  if (option !== undefined && (upper(option) !== 'ENTRIESREAD' || call.args.length !== 7)) {
    throw new ErrorReply("ERR unknown subcommand or wrong number of arguments for 'SETID'. Try XGROUP HELP.")
  }
  const entriesRead = readCount(read)
  const { stream, group } = knownGroup(call)
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
  consumers.delete(name)
  for (const [id] of own) pending.delete(id)
  return integer(own.length)
}

/** As a radix tree lists its keys. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

const NODE_ENTRIES = 100

/** Nodes of the radix tree, as a server counts them for streams of up to 1,100 entries. */
const treeNodes = (keys: number): number => (keys < 2 ? keys + 1 : Math.floor(2.5 * keys) + 1)

const streamInfo: Command = (call) => {
  const { resp } = call.client
  const { entries, lastId, added, maxDeletedId, groups } = existing(call)
  if (call.args.length > 3) throw syntaxError()
  const keys = Math.ceil(entries.length / NODE_ENTRIES)
  const [first, last] = [entries[0], entries.at(-1)]
  return map(
    [
      ...[bulk('length'), integer(entries.length), bulk('radix-tree-keys'), integer(keys)],
      ...[
        bulk('radix-tree-nodes'),
        integer(treeNodes(keys)),
        bulk('last-generated-id'),
        bulk(idText(lastId)),
      ],
      ...[bulk('max-deleted-entry-id'), bulk(idText(maxDeletedId)), bulk('entries-added'), integer(added)],
      ...[bulk('recorded-first-entry-id'), bulk(idText(first?.id ?? FIRST_ID))],
      ...[bulk('groups'), integer(groups.size)],
      ...[bulk('first-entry'), first ? entryReply(first) : nil(resp)],
      ...[bulk('last-entry'), last ? entryReply(last) : nil(resp)],
    ],
    resp,
  )
}

function existing(call: Call): Stream {
  if (!find(call, call.args[2]!)) throw new ErrorReply('ERR no such key')
  return findStream(call, call.args[2]!)!
}

const consumersInfo: Command = (call) => {
  const { resp } = call.client
  const [, , key = '', name = ''] = call.args
  const group = existing(call).groups.get(name)
  if (!group) throw noSuchGroup(key, name)
  return array(
    [...group.consumers].sort(byName).map(([consumer, seenAt]) => {
      const own = [...group.pending.values()].filter((each) => each.consumer === consumer)
      return map(
        [
          ...[bulk('name'), bulk(consumer), bulk('pending'), integer(own.length)],
          ...[bulk('idle'), integer(call.now - seenAt)],
        ],
        resp,
      )
    }),
  )
}

const groupsInfo: Command = (call) => {
  const { resp } = call.client
  const stream = existing(call)
  const known = (count: number | undefined): string => (count === undefined ? nil(resp) : integer(count))
  return array(
    [...stream.groups]
      .sort(byName)
      .map(([name, group]) =>
        map(
          [
            ...[bulk('name'), bulk(name), bulk('consumers'), integer(group.consumers.size)],
            ...[bulk('pending'), integer(group.pending.size)],
            ...[bulk('last-delivered-id'), bulk(idText(group.lastId))],
            ...[bulk('entries-read'), known(group.entriesRead), bulk('lag'), known(lagOf(stream, group))],
          ],
          resp,
        ),
      ),
  )
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
  'xinfo|consumers': consumersInfo,
  'xinfo|stream': streamInfo,
  'xinfo|groups': groupsInfo,
}
