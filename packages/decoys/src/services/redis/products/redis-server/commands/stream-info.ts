// XINFO STREAM: what a stream is.
import { toInteger, upper, wrongSubcommand } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { sizeOf } from '../values/keyspace.ts'
import { array, bulk, integer, map, nil } from '../../../protocol/resp.ts'
import { FIRST_ID, idText, treeOf } from '../values/stream.ts'
import { entriesReply, entryReply, existingStream } from './stream-call.ts'
import { spend } from '../work-budget.ts'

/** How many entries XINFO STREAM FULL shows. */
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
  const stream = existingStream(call)
  const shown = shownOf(call)
  spend(call, sizeOf({ type: 'stream', value: stream }))
  const tree = treeOf(stream)
  const { resp } = call.client
  const { entries, lastId, added, maxDeletedId } = stream
  const [first, last] = [entries[0], entries.at(-1)]
  const facts = [
    ...[bulk('length'), integer(entries.length), bulk('radix-tree-keys'), integer(tree.keys)],
    ...[bulk('radix-tree-nodes'), integer(tree.nodes)],
    ...[bulk('last-generated-id'), bulk(idText(lastId))],
    ...[bulk('max-deleted-entry-id'), bulk(idText(maxDeletedId)), bulk('entries-added'), integer(added)],
    ...[bulk('recorded-first-entry-id'), bulk(idText(first?.id ?? FIRST_ID))],
  ]
  if (shown === undefined) {
    facts.push(...[bulk('groups'), integer(0)])
    facts.push(...[bulk('first-entry'), first ? entryReply(first) : nil(resp)])
    facts.push(...[bulk('last-entry'), last ? entryReply(last) : nil(resp)])
  } else {
    facts.push(bulk('entries'), entriesReply(entries.slice(0, shown)))
    facts.push(bulk('groups'), array([]))
  }
  return map(facts, resp)
}

export const streamInfos: Record<string, Command> = { 'xinfo|stream': streamInfo }
