// Commands that administer the server; intruders try these first.
import { applyRules } from '../access/rules.ts'
import { cString, toInteger, ErrorReply, syntaxError, upper, type Command } from '../call.ts'
import { readConfig, writeConfig } from '../config.ts'
import { infoText } from '../info.ts'
import { array, bulk, bulks, integer, map, nil, OK, status, verbatim } from '../resp.ts'

const fail =
  (message: string): Command =>
  () => {
    throw new ErrorReply(message)
  }

const flush =
  (all: boolean): Command =>
  ({ args, server, client }) => {
    if (args.length > 2 || (args.length === 2 && !/^(a?sync)$/i.test(args[1]!))) throw syntaxError()
    server.keyspace.flush(all ? undefined : client.db)
    return OK
  }

const replicaOf: Command = ({ args, server, now }) => {
  if (upper(args[1]) === 'NO' && upper(args[2]) === 'ONE') {
    if (server.master) server.promotions += 1
    server.master = undefined
    return OK
  }
  if (!/^\d{1,5}$/.test(args[2]!) || Number(args[2]) > 65_535) throw new ErrorReply('ERR Invalid master port')
  const [, host = '', port = ''] = args
  const isKnown = server.master?.host === host && server.master.port === Number(port)
  server.master = { host: host.slice(0, 255), port: Number(port), since: now }
  return isKnown ? status('OK Already connected to specified master') : OK
}

const NOT_BUSY = fail('NOTBUSY No scripts in execution right now.')

const isInteger = (text: string): boolean => {
  try {
    toInteger(text)
    return true
  } catch {
    return false
  }
}

/** A small data set is saved so fast. */
const SAVING_MS = 20

/** SAVE and BGSAVE: nothing is written, only the time of the last save moves. */
const saved = (reply: string, isBackground: boolean): Command => {
  return ({ server, now }) => {
    if (server.savingUntil > now) throw new ErrorReply('ERR Background save already in progress')
    if (isBackground) server.savingUntil = now + SAVING_MS
    server.counters.savedAt = now
    server.counters.dirty = 0
    return reply
  }
}

export const administration: Record<string, Command> = {
  info: (call) => verbatim(infoText(call), call.client.resp),
  time: ({ now }) => bulks([String(Math.floor(now / 1000)), String((now % 1000) * 1000 + 417)]),
  lolwut: ({ client }) => verbatim('Redis ver. 7.0.15\n', client.resp),
  lastsave: ({ server }) => integer(Math.floor(server.counters.savedAt / 1000)),
  role: ({ server: { master } }) =>
    master
      ? array([bulk('slave'), bulk(master.host), integer(master.port), bulk('connect'), integer(-1)])
      : array([bulk('master'), integer(0), array([])]),
  save: saved(OK, false),
  bgsave: (call) => {
    if (call.args.length > 1 && upper(call.args[1]) !== 'SCHEDULE') throw syntaxError()
    return saved(status('Background saving started'), true)(call)
  },
  bgrewriteaof: () => status('Background append only file rewriting started'),
  flushall: flush(true),
  flushdb: flush(false),
  slaveof: replicaOf,
  replicaof: replicaOf,
  monitor: () => OK,
  wait: ({ args, server }) => {
    if (server.master)
      throw new ErrorReply(
        'ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.',
      )
    toInteger(args[1])
    if (!isInteger(args[2]!)) throw new ErrorReply('ERR timeout is not an integer or out of range')
    if (Number(args[2]) < 0) throw new ErrorReply('ERR timeout is negative')
    return integer(0)
  },
  fcall: fail('ERR Function not found'),
  fcall_ro: fail('ERR Function not found'),
  publish: () => integer(0),
  spublish: () => integer(0),
  shutdown: ({ args }) => {
    if (args.length === 2 && upper(args[1]) === 'ABORT') throw new ErrorReply('ERR No shutdown in progress.')
    if (args.slice(1).some((word) => !/^(nosave|save|now|force)$/i.test(word))) throw syntaxError()
    throw new ErrorReply('ERR Errors trying to SHUTDOWN. Check logs.')
  },
  replconf: ({ args }) => {
    if (args.length % 2 === 0) throw syntaxError()
    for (let at = 1; at < args.length; at += 2) {
      const word = args[at]!.toLowerCase()
      if (word === 'listening-port') toInteger(args[at + 1])
      else if (!/^(ip-address|capa|ack|getack|rdb-only|rdb-filter-only)$/.test(word)) {
        throw new ErrorReply(`ERR Unrecognized REPLCONF option: ${cString(args[at]!)}`)
      }
    }
    return OK
  },
  'config|get': ({ args, server, client }) =>
    map(
      readConfig(server.config, args.slice(2)).map((text) => bulk(text)),
      client.resp,
    ),
  'config|set': ({ args, server }) => {
    writeConfig(server.config, args.slice(2))
    const password = server.config.get('requirepass')
    if (args.slice(2).some((word, i) => i % 2 === 0 && upper(word) === 'REQUIREPASS'))
      applyRules(server.users.get('default')!, password ? ['resetpass', `>${password}`] : ['nopass'])
    return OK
  },
  'config|resetstat': ({ server }) => {
    server.errors.clear()
    server.calls.clear()
    return OK
  },
  'config|rewrite': () => OK,
  'module|list': () => array([]),
  'script|kill': NOT_BUSY,
  'function|kill': NOT_BUSY,
  'function|delete': fail('ERR Library not found'),
  'function|stats': ({ client }) =>
    map(
      [
        bulk('running_script'),
        nil(client.resp),
        bulk('engines'),
        map(
          [
            bulk('LUA'),
            map([bulk('libraries_count'), integer(0), bulk('functions_count'), integer(0)], client.resp),
          ],
          client.resp,
        ),
      ],
      client.resp,
    ),
  'pubsub|numsub': ({ args }) => array(args.slice(2).flatMap((name) => [bulk(name), integer(0)])),
}
