// Commands on streams and their entries. Those on groups: stream-groups.ts.
import { block } from '../clients/blocked.ts'
import { ErrorReply, parseInteger, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, integer, map, nil, nilArray } from '../../../protocol/resp.ts'
import {
  compareIds,
  FIRST_ID,
  idText,
  nextId,
  NODE_ENTRIES,
  type Stream,
  type StreamEntry,
  type StreamId,
} from '../values/stream.ts'
import { entriesReply, findOrCreateStream, findStream, rangeLimit, toId } from './stream-call.ts'

interface Trim {
  by: 'MAXLEN' | 'MINID' | undefined
  limit: number
  least: StreamId
  isRough: boolean
}

interface AddOptions {
  readonly trim: Trim
  makes: boolean
  /** Where the id of XADD stands. */
  readonly idAt: number
}

/** Reads the options of XADD, up to its id, or of XTRIM, up to the end. */
function readAddOptions(args: readonly string[], isAdd: boolean): AddOptions {
  const trim: Trim = { by: undefined, limit: 0, least: FIRST_ID, isRough: false }
  let [makes, hasLimit, at] = [true, false, 2]
  for (; at < args.length; at += 1) {
    const word = upper(args[at])
    const hasValue = at + 1 < args.length
    if (isAdd && word === '*') break
    if ((word === 'MAXLEN' || word === 'MINID') && hasValue) at = readTrim(args, at, word, trim)
    else if (word === 'LIMIT' && hasValue) {
      const limit = toInteger(args[(at += 1)])
      if (limit < 0) throw new ErrorReply('ERR The LIMIT argument must be >= 0.')
      hasLimit ||= limit > 0
    } else if (isAdd && word === 'NOMKSTREAM') makes = false
    else if (isAdd) {
      if (!/^\d{1,20}-\*$/.test(args[at]!)) toId(args[at])
      break
    } else throw syntaxError()
  }
  if (hasLimit && !trim.by)
    throw new ErrorReply('ERR syntax error, LIMIT cannot be used without specifying a trimming strategy')
  if (!isAdd && !trim.by)
    throw new ErrorReply('ERR syntax error, XTRIM must be called with a trimming strategy')
  if (hasLimit && !trim.isRough)
    throw new ErrorReply('ERR syntax error, LIMIT cannot be used without the special ~ option')
  return { trim, makes, idAt: at }
}

/** Reads `MAXLEN|MINID [=|~] n`, and answers where `n` stands. */
function readTrim(args: readonly string[], from: number, by: 'MAXLEN' | 'MINID', trim: Trim): number {
  if (trim.by)
    throw new ErrorReply('ERR syntax error, MAXLEN and MINID options at the same time are not compatible')
  const hasSign = from + 2 < args.length && /^[~=]$/.test(args[from + 1]!)
  const at = from + (hasSign ? 2 : 1)
  trim.isRough = hasSign && args[from + 1] === '~'
  if (by === 'MINID') trim.least = toId(args[at])
  else {
    trim.limit = toInteger(args[at])
    if (trim.limit < 0) throw new ErrorReply('ERR The MAXLEN argument must be >= 0.')
  }
  trim.by = by
  return at
}

function trimStream({ work }: Call, stream: Stream, { by, limit, least, isRough }: Trim): number {
  const { length } = stream.entries
  work.spend(length)
  const kept = stream.entries.findIndex(({ id }) => compareIds(id, least) >= 0)
  const surplus = by === 'MAXLEN' ? Math.max(0, length - limit) : kept < 0 ? length : kept
  // A rough trim takes whole nodes only; the last one may have few entries.
  const spared = isRough && surplus < length ? surplus % NODE_ENTRIES : 0
  return stream.entries.splice(0, surplus - spared).length
}

function newId(text: string, { lastId }: Stream, now: number): StreamId {
  if (text === '*') {
    const id: StreamId = [BigInt(now), 0n]
    return compareIds(id, lastId) > 0 ? id : nextId(lastId)
  }
  const ms = /^(\d{1,20})-\*$/.exec(text)?.[1]
  const id =
    ms === undefined ? toId(text) : ([BigInt(ms), BigInt(ms) === lastId[0] ? lastId[1] + 1n : 0n] as const)
  if (id[0] === 0n && id[1] === 0n)
    throw new ErrorReply('ERR The ID specified in XADD must be greater than 0-0')
  if (compareIds(id, lastId) <= 0) {
    throw new ErrorReply('ERR The ID specified in XADD is equal or smaller than the target stream top item')
  }
  return id
}

const xadd: Command = (call) => {
  const { args } = call
  const { trim, makes, idAt } = readAddOptions(args, true)
  const [text = '', ...fields] = args.slice(idAt)
  if (fields.length < 2 || fields.length % 2)
    throw new ErrorReply("ERR wrong number of arguments for 'xadd' command")
  if (/^0+(-0+)?$/.test(text)) throw new ErrorReply('ERR The ID specified in XADD must be greater than 0-0')
  const known = findStream(call, args[1]!)
  if (!known && !makes) return nil(call.client.resp)
  const stream = known ?? findOrCreateStream(call, args[1]!)
  const id = newId(text, stream, call.now)
  stream.entries.push({ id, fields })
  stream.added += 1
  stream.lastId = id
  if (trim.by) trimStream(call, stream, trim)
  return bulk(idText(id))
}

const xrange =
  (isReversed: boolean): Command =>
  (call) => {
    const [, key = '', first, second, ...options] = call.args
    const [low, high] = isReversed ? [second, first] : [first, second]
    const [from, to] = [rangeLimit(low, true), rangeLimit(high, false)]
    let most: number | undefined
    for (let at = 0; at < options.length; at += 2) {
      if (upper(options[at]) !== 'COUNT' || options[at + 1] === undefined) throw syntaxError()
      most = Math.max(0, toInteger(options[at + 1]))
    }
    const stream = findStream(call, key)
    if (most === 0) return stream ? nilArray(call.client.resp) : array([])
    const found = (stream?.entries ?? []).filter(
      ({ id }) => compareIds(id, from) >= 0 && compareIds(id, to) <= 0,
    )
    return entriesReply((isReversed ? found.reverse() : found).slice(0, most))
  }

/** The options before STREAMS, the keys and the ids. */
export function readArguments(call: Call, from: number, isGroup: boolean) {
  const { args } = call
  let count: number | undefined
  let blockMs: number | undefined
  let at = from
  for (; upper(args[at]) !== 'STREAMS'; at += 1) {
    const word = upper(args[at])
    if (args[at] === undefined) throw syntaxError()
    if ((word === 'COUNT' || word === 'BLOCK') && args[at + 1] !== undefined) {
      const number = parseInteger(args[(at += 1)]!)
      if (number === undefined)
        throw new ErrorReply(
          `ERR ${word === 'BLOCK' ? 'timeout' : 'value'} is not an integer or out of range`,
        )
      if (word === 'COUNT') count = number > 0 ? number : undefined
      else if (number < 0) throw new ErrorReply('ERR timeout is negative')
      else if (call.client.isInScript)
        throw new ErrorReply(`ERR ${args[0]!} command is not allowed with BLOCK option from scripts`)
      else blockMs = number
    } else if (word !== 'NOACK' || !isGroup) throw syntaxError()
  }
  const rest = args.slice(at + 1)
  if (rest.length === 0) throw syntaxError()
  if (rest.length % 2) {
    throw new ErrorReply(
      "ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.",
    )
  }
  const half = rest.length / 2
  return { count, blockMs, keys: rest.slice(0, half), ids: rest.slice(half) }
}

type Found = readonly [key: string, entries: readonly StreamEntry[]]

const streamsReply = (call: Call, found: readonly Found[]): string => {
  const { resp } = call.client
  if (found.length === 0) return nilArray(resp)
  return resp === 3
    ? map(
        found.flatMap(([key, entries]) => [bulk(key), entriesReply(entries)]),
        3,
      )
    : array(found.map(([key, entries]) => array([bulk(key), entriesReply(entries)])))
}

const xread: Command = (call) => {
  const { count, blockMs, keys, ids } = readArguments(call, 1, false)
  const after = keys.map((key, i) => {
    const stream = findStream(call, key)
    if (ids[i] === '$') return stream?.lastId ?? FIRST_ID
    if (ids[i] === '>')
      throw new ErrorReply(
        'ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.',
      )
    return toId(ids[i])
  })
  const found = keys.flatMap((key, i): Found[] => {
    const stream = findStream(call, key)
    // Blocked readers ask again at each write.
    if (!stream || compareIds(stream.lastId, after[i]!) <= 0) return []
    const entries = stream.entries.filter(({ id }) => compareIds(id, after[i]!) > 0)
    return entries.length > 0 ? [[key, entries.slice(0, count)]] : []
  })
  if (found.length > 0 || blockMs === undefined) return streamsReply(call, found)
  // `$` is what was last when the wait began.
  const args = [...call.args.slice(0, -ids.length), ...after.map(idText)]
  return block(call, { ms: blockMs, timeoutReply: nilArray(call.client.resp), args })
}

export const streams: Record<string, Command> = {
  xadd,
  xlen: (call) => integer(findStream(call, call.args[1]!)?.entries.length ?? 0),
  xrange: xrange(false),
  xrevrange: xrange(true),
  xread,
  xdel: (call) => {
    const stream = findStream(call, call.args[1]!)
    if (!stream) return integer(0)
    call.work.spend(stream.entries.length)
    const ids = new Set(call.args.slice(2).map((text) => idText(toId(text))))
    const isDeleted = ({ id }: StreamEntry): boolean => ids.has(idText(id))
    const deleted = stream.entries.filter(isDeleted)
    if (deleted.length > 0) stream.entries = stream.entries.filter((entry) => !isDeleted(entry))
    for (const { id } of deleted) if (compareIds(id, stream.maxDeletedId) > 0) stream.maxDeletedId = id
    return integer(deleted.length)
  },
  xtrim: (call) => {
    const { trim } = readAddOptions(call.args, false)
    const stream = findStream(call, call.args[1]!)
    return integer(stream ? trimStream(call, stream, trim) : 0)
  },
}
