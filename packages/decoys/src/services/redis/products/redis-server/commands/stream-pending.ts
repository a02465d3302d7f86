// Entries that consumers have read and not acknowledged: XPENDING, XCLAIM and XAUTOCLAIM.
import {
  countChanges,
  ErrorReply,
  find,
  syntaxError,
  toInteger,
  upper,
  wrongType,
  type Call,
  type Command,
} from '../call.ts'
import { array, bulk, bulks, integer, nil, nilArray } from '../../../protocol/resp.ts'
import {
  compareIds,
  FIRST_ID,
  idText,
  parseId,
  pendingOf,
  weightOfStream,
  type PendingEntry,
  type Stream,
  type StreamGroup,
  type StreamId,
} from '../values/stream.ts'
import { entryReply, findEntry, findStream, noGroup, rangeLimit, seeConsumer, toId } from './stream-call.ts'

function groupOf(
  call: Call,
  streamOf = findStream,
): { readonly stream: Stream; readonly group: StreamGroup } {
  const [, key = '', name = ''] = call.args
  const stream = streamOf(call, key)
  const group = stream?.groups.get(name)
  if (!stream || !group) throw noGroup(key, name)
  return { stream, group }
}

const xpending: Command = (call) => {
  const { length } = call.args
  if (length === 3) return summary(call)
  if (length < 6 || length > 9) throw syntaxError()
  const hasIdle = upper(call.args[3]) === 'IDLE'
  const leastIdle = hasIdle ? toInteger(call.args[4]) : 0
  if (hasIdle && length < 8) throw syntaxError()
  const [first, last, most, consumer] = call.args.slice(hasIdle ? 5 : 3)
  const count = Math.max(0, toInteger(most))
  const [from, to] = [rangeLimit(first, true), rangeLimit(last, false)]
  const found = pendingOf(groupOf(call).group).filter(
    (entry) =>
      compareIds(entry.id, from) >= 0 &&
      compareIds(entry.id, to) <= 0 &&
      (consumer === undefined || entry.consumer === consumer) &&
      call.now - entry.deliveredAt >= leastIdle,
  )
  return array(
    found
      .slice(0, count)
      .map(({ id, consumer: owner, deliveredAt, deliveries }) =>
        array([bulk(idText(id)), bulk(owner), integer(call.now - deliveredAt), integer(deliveries)]),
      ),
  )
}

function summary(call: Call): string {
  const { resp } = call.client
  const entries = pendingOf(groupOf(call).group)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last) return array([integer(0), nil(resp), nil(resp), nilArray(resp)])
  const counts = new Map<string, number>()
  for (const { consumer } of entries) counts.set(consumer, (counts.get(consumer) ?? 0) + 1)
  return array([
    integer(entries.length),
    bulk(idText(first.id)),
    bulk(idText(last.id)),
    array([...counts].sort().map(([consumer, count]) => bulks([consumer, String(count)]))),
  ])
}

/** An integer whose error names what it is for. */
function toTime(text: string | undefined, what: string): number {
  try {
    return toInteger(text)
  } catch {
    throw new ErrorReply(`ERR Invalid ${what}`)
  }
}

interface ClaimOptions {
  readonly deliveredAt: number
  readonly deliveries: number | undefined
  readonly isForced: boolean
  readonly isIdsOnly: boolean
  readonly lastId: StreamId
}

function readClaimOptions({ now }: Call, words: readonly string[]): ClaimOptions {
  let options: ClaimOptions = {
    deliveredAt: now,
    deliveries: undefined,
    isForced: false,
    isIdsOnly: false,
    lastId: FIRST_ID,
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    const hasMore = at + 1 < words.length
    if (word === 'FORCE') options = { ...options, isForced: true }
    else if (word === 'JUSTID') options = { ...options, isIdsOnly: true }
    else if (word === 'IDLE' && hasMore)
      options = { ...options, deliveredAt: now - toTime(words[(at += 1)], 'IDLE option argument for XCLAIM') }
    else if (word === 'TIME' && hasMore)
      options = { ...options, deliveredAt: toTime(words[(at += 1)], 'TIME option argument for XCLAIM') }
    else if (word === 'RETRYCOUNT' && hasMore)
      options = { ...options, deliveries: toTime(words[(at += 1)], 'RETRYCOUNT option argument for XCLAIM') }
    else if (word === 'LASTID' && hasMore) options = { ...options, lastId: toId(words[(at += 1)]) }
    else throw new ErrorReply(`ERR Unrecognized XCLAIM option '${words[at]!}'`)
  }
  // A time to come counts as now.
  return { ...options, deliveredAt: Math.min(now, Math.max(0, options.deliveredAt)) }
}

const xclaim: Command = (call) => {
  const [, , , consumer = '', idle, ...words] = call.args
  const { stream, group } = groupOf(call)
  const leastIdle = Math.max(0, toTime(idle, 'min-idle-time argument for XCLAIM'))
  const end = words.findIndex((word) => !parseId(word, 0n))
  const ids = words.slice(0, end < 0 ? words.length : end).map((word) => toId(word))
  const options = readClaimOptions(call, words.slice(ids.length))
  if (compareIds(options.lastId, group.lastId) > 0) group.lastId = options.lastId
  countChanges(call, 0)
  const replies: string[] = []
  for (const id of ids) {
    const known = group.pending.get(idText(id))
    const entry = findEntry(stream, id)
    if (!entry) {
      countChanges(call, group.pending.delete(idText(id)) ? 1 : 0)
      continue
    }
    if (!known && !options.isForced) continue
    if (known && call.now - known.deliveredAt < leastIdle) continue
    const { deliveredAt, isIdsOnly } = options
    const deliveries = options.deliveries ?? (known?.deliveries ?? 1) + (isIdsOnly ? 0 : 1)
    claim(call, group, { consumer, id, deliveredAt, deliveries })
    replies.push(isIdsOnly ? bulk(idText(id)) : entryReply(entry))
  }
  return array(replies)
}

function claim(call: Call, group: StreamGroup, entry: PendingEntry): void {
  countChanges(call, seeConsumer(call, group, entry.consumer) ? 2 : 1)
  group.pending.set(idText(entry.id), entry)
}

const CLAIMS = 100
/** Entries that are too young count as a tenth. */
const ATTEMPTS = 10

const xautoclaim: Command = (call) => {
  const [, key = '', , consumer = '', idle, start, ...words] = call.args
  // It looks the key up before it reads the rest.
  const entry = find(call, key)
  const leastIdle = Math.max(0, toTime(idle, 'min-idle-time argument for XAUTOCLAIM'))
  const from = rangeLimit(start, true)
  const { count, isIdsOnly } = readAutoclaimOptions(words)
  const { stream, group } = groupOf(call, () => {
    if (entry && entry.type !== 'stream') throw wrongType()
    return entry?.value
  })
  call.work.spend(weightOfStream(stream))
  const waiting = pendingOf(group).filter(({ id }) => compareIds(id, from) >= 0)
  const claimed: string[] = []
  const deleted: string[] = []
  let tried = 0
  countChanges(call, 0)
  for (const { id, deliveredAt, deliveries } of waiting) {
    if (tried >= ATTEMPTS * count || claimed.length + deleted.length >= count) break
    tried += 1
    const entry = findEntry(stream, id)
    if (!entry) {
      group.pending.delete(idText(id))
      countChanges(call, 1)
      deleted.push(bulk(idText(id)))
    } else if (call.now - deliveredAt >= leastIdle) {
      claim(call, group, {
        consumer,
        id,
        deliveredAt: call.now,
        deliveries: deliveries + (isIdsOnly ? 0 : 1),
      })
      claimed.push(isIdsOnly ? bulk(idText(id)) : entryReply(entry))
    }
  }
  const next = waiting[tried]?.id ?? FIRST_ID
  return array([bulk(idText(next)), array(claimed), array(deleted)])
}

function readAutoclaimOptions(words: readonly string[]) {
  let [count, isIdsOnly] = [CLAIMS, false]
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    if (word === 'JUSTID') isIdsOnly = true
    else if (word === 'COUNT' && at + 1 < words.length) {
      count = toCount(words[(at += 1)])
    } else throw syntaxError()
  }
  return { count, isIdsOnly }
}

function toCount(text: string | undefined): number {
  try {
    const count = toInteger(text)
    if (count >= 1 && count <= Number.MAX_SAFE_INTEGER) return count
  } catch {
    // The error is the same.
  }
  throw new ErrorReply('ERR COUNT must be > 0')
}

export const streamPending: Record<string, Command> = { xpending, xclaim, xautoclaim }
