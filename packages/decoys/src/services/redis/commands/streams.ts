// Commands on streams, without blocking and without claiming.
import {
  ErrorReply,
  find,
  findTyped,
  put,
  syntaxError,
  toInteger,
  upper,
  type Call,
  type Command,
} from '../call.ts'
import { array, bulk, bulks, integer, map, nil, nilArray } from '../resp.ts'
import {
  compareIds,
  FIRST_ID,
  idText,
  LAST_ID,
  newStream,
  nextId,
  parseId,
  previousId,
  type Stream,
  type StreamEntry,
  type StreamId,
} from '../stream.ts'

const invalidId = (): ErrorReply =>
  new ErrorReply('ERR Invalid stream ID specified as stream command argument')

function toId(text: string | undefined, missingSequence = 0n): StreamId {
  const id = parseId(text, missingSequence)
  if (!id) throw invalidId()
  return id
}

const findStream = (call: Call, key: string): Stream | undefined => findTyped(call, key, 'stream')?.value

function findOrCreateStream(call: Call, key: string): Stream {
  const known = findStream(call, key)
  if (known) return known
  const value = newStream()
  put(call, key, { type: 'stream', value })
  return value
}

const entryReply = ({ id, fields }: StreamEntry): string => array([bulk(idText(id)), bulks(fields)])
const entriesReply = (entries: readonly StreamEntry[]): string => array(entries.map(entryReply))

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

/** A rough trim takes whole nodes of a hundred entries only. */
const NODE_ENTRIES = 100

function trimStream(stream: Stream, { by, limit, least, isRough }: Trim): number {
  const before = stream.entries.length
  const kept = stream.entries.findIndex(({ id }) => compareIds(id, least) >= 0)
  const surplus = by === 'MAXLEN' ? Math.max(0, before - limit) : kept < 0 ? before : kept
  const removed = isRough ? surplus - (surplus % NODE_ENTRIES) : surplus
  stream.entries = stream.entries.slice(removed)
  return removed
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
  stream.lastId = id
  if (trim.by) trimStream(stream, trim)
  return bulk(idText(id))
}

/** A limit of XRANGE: `-`, `+`, an id, or `(` and an id. */
function rangeLimit(text: string | undefined, isStart: boolean): StreamId {
  if (text === '-') return FIRST_ID
  if (text === '+') return LAST_ID
  const isExclusive = text?.startsWith('(') ?? false
  const id = toId(isExclusive ? text!.slice(1) : text, isStart ? 0n : LAST_ID[1])
  if (!isExclusive) return id
  if (compareIds(id, isStart ? LAST_ID : FIRST_ID) === 0)
    throw new ErrorReply(`ERR invalid ${isStart ? 'start' : 'end'} ID for the interval`)
  return isStart ? nextId(id) : previousId(id)
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
function readArguments(call: Call, from: number, isGroup: boolean) {
  const { args } = call
  let count: number | undefined
  let at = from
  for (; upper(args[at]) !== 'STREAMS'; at += 1) {
    const word = upper(args[at])
    if (args[at] === undefined) throw syntaxError()
    if ((word === 'COUNT' || word === 'BLOCK') && args[at + 1] !== undefined) {
      const number = toInteger(args[(at += 1)])
      if (word === 'COUNT') count = number > 0 ? number : undefined
      else if (number < 0) throw new ErrorReply('ERR timeout is negative')
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
  return { count, keys: rest.slice(0, half), ids: rest.slice(half) }
}

const streamsReply = (call: Call, found: readonly (readonly [string, readonly StreamEntry[]])[]): string => {
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
  const { count, keys, ids } = readArguments(call, 1, false)
  const after = keys.map((key, i) => {
    const stream = findStream(call, key)
    if (ids[i] === '$') return stream?.lastId ?? FIRST_ID
    if (ids[i] === '>')
      throw new ErrorReply(
        'ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.',
      )
    return toId(ids[i])
  })
  const found = keys.flatMap((key, i): (readonly [string, readonly StreamEntry[]])[] => {
    const entries = (findStream(call, key)?.entries ?? []).filter(({ id }) => compareIds(id, after[i]!) > 0)
    return entries.length > 0 ? [[key, entries.slice(0, count)]] : []
  })
  return streamsReply(call, found)
}

/** Printed as texts of C, which end at a NUL. */
const noGroup = (key: string, group: string, more = ''): ErrorReply => {
  const [shownKey, shownGroup] = [key, group].map((name) => name.split('\0', 1)[0]!)
  return new ErrorReply(`NOGROUP No such key '${shownKey}' or consumer group '${shownGroup}'${more}`)
}

const xreadgroup: Command = (call) => {
  const [, option, name = '', consumer = ''] = call.args
  if (upper(option) !== 'GROUP') throw syntaxError()
  const { count, keys, ids } = readArguments(call, 4, true)
  const groups = keys.map((key) => {
    const group = findStream(call, key)?.groups.get(name)
    if (!group) throw noGroup(key, name, ' in XREADGROUP with GROUP option')
    return group
  })
  const found = keys.flatMap((key, i): (readonly [string, readonly StreamEntry[]])[] => {
    const stream = findStream(call, key)!
    const group = groups[i]!
    group.consumers.add(consumer)
    if (ids[i] !== '>') {
      const after = toId(ids[i])
      const own = stream.entries.filter(
        ({ id }) => compareIds(id, after) > 0 && group.pending.get(idText(id))?.consumer === consumer,
      )
      return [[key, own.slice(0, count)]]
    }
    const entries = stream.entries.filter(({ id }) => compareIds(id, group.lastId) > 0).slice(0, count)
    if (entries.length === 0) return []
    group.lastId = entries.at(-1)!.id
    for (const { id } of entries) group.pending.set(idText(id), { consumer, id })
    return [[key, entries]]
  })
  return streamsReply(call, found)
}

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
  if (read >= 0) toInteger(options[read + 1])
  const stream = findStream(call, key)
  if (!stream && !makes) throw new ErrorReply(NO_KEY)
  const id = idWord === '$' ? (stream?.lastId ?? FIRST_ID) : toId(idWord)
  const { groups } = stream ?? findOrCreateStream(call, key)
  if (groups.has(name)) throw new ErrorReply('BUSYGROUP Consumer Group name already exists')
  groups.set(name, { lastId: id, consumers: new Set(), pending: new Map() })
  return '+OK\r\n'
}

const destroyGroup: Command = (call) => {
  const stream = findStream(call, call.args[2]!)
  if (!stream) throw new ErrorReply(NO_KEY)
  return integer(stream.groups.delete(call.args[3]!) ? 1 : 0)
}

const xpending: Command = (call) => {
  const [, key = '', name = '', ...more] = call.args
  if (more.length > 0 && more.length < 3) throw syntaxError()
  const group = findStream(call, key)?.groups.get(name)
  if (!group) throw noGroup(key, name)
  const ids = [...group.pending.values()].sort((a, b) => compareIds(a.id, b.id))
  if (ids.length === 0) {
    return more.length > 0
      ? array([])
      : array([integer(0), nil(call.client.resp), nil(call.client.resp), nilArray(call.client.resp)])
  }
  const counts = new Map<string, number>()
  for (const { consumer } of ids) counts.set(consumer, (counts.get(consumer) ?? 0) + 1)
  return array([
    integer(ids.length),
    bulk(idText(ids[0]!.id)),
    bulk(idText(ids.at(-1)!.id)),
    array([...counts].sort().map(([consumer, count]) => bulks([consumer, String(count)]))),
  ])
}

export const streams: Record<string, Command> = {
  xadd,
  xlen: (call) => integer(findStream(call, call.args[1]!)?.entries.length ?? 0),
  xrange: xrange(false),
  xrevrange: xrange(true),
  xread,
  xreadgroup,
  xdel: (call) => {
    const stream = findStream(call, call.args[1]!)
    if (!stream) return integer(0)
    const ids = new Set(call.args.slice(2).map((text) => idText(toId(text))))
    const before = stream.entries.length
    stream.entries = stream.entries.filter(({ id }) => !ids.has(idText(id)))
    return integer(before - stream.entries.length)
  },
  xtrim: (call) => {
    const { trim } = readAddOptions(call.args, false)
    const stream = findStream(call, call.args[1]!)
    return integer(stream ? trimStream(stream, trim) : 0)
  },
  xsetid: (call) => {
    const id = toId(call.args[2])
    const stream = findStream(call, call.args[1]!)
    if (!stream) throw new ErrorReply('ERR no such key')
    if (stream.entries.some((entry) => compareIds(entry.id, id) > 0))
      throw new ErrorReply('ERR The ID specified in XSETID is smaller than the target stream top item')
    stream.lastId = id
    return '+OK\r\n'
  },
  xack: (call) => {
    const group = findStream(call, call.args[1]!)?.groups.get(call.args[2]!)
    if (!group) return integer(0)
    const ids = call.args.slice(3).map((text) => idText(toId(text)))
    return integer(ids.filter((id) => group.pending.delete(id)).length)
  },
  xpending,
  'xgroup|create': createGroup,
  'xgroup|destroy': destroyGroup,
  'xinfo|groups': (call) => {
    if (!find(call, call.args[2]!)) throw new ErrorReply('ERR no such key')
    const { resp } = call.client
    const { groups, entries } = findStream(call, call.args[2]!)!
    return array(
      [...groups].map(([name, { lastId, consumers, pending }]) => {
        const read = entries.filter(({ id }) => compareIds(id, lastId) <= 0).length
        return map(
          [
            ...[bulk('name'), bulk(name), bulk('consumers'), integer(consumers.size)],
            ...[bulk('pending'), integer(pending.size), bulk('last-delivered-id'), bulk(idText(lastId))],
            ...[
              bulk('entries-read'),
              read > 0 ? integer(read) : nil(resp),
              bulk('lag'),
              integer(entries.length - read),
            ],
          ],
          resp,
        )
      }),
    )
  },
}
