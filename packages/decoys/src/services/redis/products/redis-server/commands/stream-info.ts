// XINFO: what a stream, its groups and their consumers are.
import { ErrorReply, find, toInteger, upper, wrongSubcommand, type Call, type Command } from '../call.ts'
import { sizeOf } from '../values/keyspace.ts'
import { streamNodes, treeSize } from '../rdb/stream-nodes.ts'
import { array, bulk, integer, map, nil } from '../../../protocol/resp.ts'
import { FIRST_ID, idText, lagOf, pendingOf, type Stream, type StreamGroup } from '../values/stream.ts'
import { entriesReply, entryReply, findStream } from './stream-call.ts'
import { noSuchGroup } from './stream-groups.ts'
import { spend } from '../work-budget.ts'

/** As a radix tree lists its keys. */
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

function existing(call: Call): Stream {
  if (!find(call, call.args[2]!)) throw new ErrorReply('ERR no such key')
  return findStream(call, call.args[2]!)!
}

const consumersInfo: Command = (call) => {
  const { resp } = call.client
  const [, , key = '', name = ''] = call.args
  const group = existing(call).groups.get(name)
  if (!group) throw noSuchGroup(key, name)
  call.work.spend(group.consumers.size * (1 + group.pending.size))
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

/** How many entries, and of each group and consumer how many that are pending, XINFO STREAM FULL shows. */
const SHOWN = 10

/** Of `FULL [COUNT n]`; undefined without it. */
function shownOf(call: Call): number | undefined {
  const words = call.args.slice(3)
  if (words.length === 0) return undefined
  const isKnown =
    upper(words[0]) === 'FULL' && (words.length === 1 || (words.length === 3 && upper(words[1]) === 'COUNT'))
  if (!isKnown) throw wrongSubcommand(call)
  const count = words.length === 1 ? SHOWN : toInteger(words[2])
  return count < 0 ? SHOWN : count === 0 ? Infinity : count
}

const streamInfo: Command = (call) => {
  const stream = existing(call)
  const shown = shownOf(call)
  spend(call, sizeOf({ type: 'stream', value: stream }))
  const nodes = streamNodes(stream, call.server.config)
  const { resp } = call.client
  const { entries, lastId, added, maxDeletedId, groups } = stream
  const [first, last] = [entries[0], entries.at(-1)]
  const facts = [
    ...[bulk('length'), integer(entries.length), bulk('radix-tree-keys'), integer(nodes.length)],
    ...[bulk('radix-tree-nodes'), integer(treeSize(nodes))],
    ...[bulk('last-generated-id'), bulk(idText(lastId))],
    ...[bulk('max-deleted-entry-id'), bulk(idText(maxDeletedId)), bulk('entries-added'), integer(added)],
    ...[bulk('recorded-first-entry-id'), bulk(idText(first?.id ?? FIRST_ID))],
  ]
  if (shown === undefined) {
    facts.push(...[bulk('groups'), integer(groups.size)])
    facts.push(...[bulk('first-entry'), first ? entryReply(first) : nil(resp)])
    facts.push(...[bulk('last-entry'), last ? entryReply(last) : nil(resp)])
  } else {
    facts.push(bulk('entries'), entriesReply(entries.slice(0, shown), resp))
    facts.push(bulk('groups'))
    facts.push(
      array([...groups].sort(byName).map(([name, group]) => fullGroup(call, stream, name, group, shown))),
    )
  }
  return map(facts, resp)
}

function fullGroup(call: Call, stream: Stream, name: string, group: StreamGroup, shown: number): string {
  const { resp } = call.client
  const known = (count: number | undefined): string => (count === undefined ? nil(resp) : integer(count))
  call.work.spend(group.consumers.size * (1 + group.pending.size))
  const pending = pendingOf(group)
  const consumers = [...group.consumers].sort(byName).map(([consumer, seenAt]) => {
    const own = pending.filter((each) => each.consumer === consumer)
    const shownOwn = own
      .slice(0, shown)
      .map(({ id, deliveredAt, deliveries }) =>
        array([bulk(idText(id)), integer(deliveredAt), integer(deliveries)]),
      )
    return map(
      [
        ...[bulk('name'), bulk(consumer), bulk('seen-time'), integer(seenAt)],
        ...[bulk('pel-count'), integer(own.length), bulk('pending'), array(shownOwn)],
      ],
      resp,
    )
  })
  const shownPending = pending
    .slice(0, shown)
    .map(({ id, consumer, deliveredAt, deliveries }) =>
      array([bulk(idText(id)), bulk(consumer), integer(deliveredAt), integer(deliveries)]),
    )
  return map(
    [
      ...[bulk('name'), bulk(name), bulk('last-delivered-id'), bulk(idText(group.lastId))],
      ...[bulk('entries-read'), known(group.entriesRead), bulk('lag'), known(lagOf(stream, group))],
      ...[bulk('pel-count'), integer(pending.length), bulk('pending'), array(shownPending)],
      ...[bulk('consumers'), array(consumers)],
    ],
    resp,
  )
}

export const streamInfos: Record<string, Command> = {
  'xinfo|consumers': consumersInfo,
  'xinfo|stream': streamInfo,
  'xinfo|groups': groupsInfo,
}
