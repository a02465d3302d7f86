// Commands that administer the server; intruders try these first.
import { beginSave, scheduleSave } from '../server/children.ts'
import { applyRules } from '../access/rules.ts'
import { countChanges } from '../values/find.ts'
import { ErrorReply, syntaxError, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { readConfig, writeConfig } from '../server/config.ts'
import { infoText } from '../server/info.ts'
import { DATABASES } from '../values/keyspace.ts'
import { keepNextLook } from '../server/server-process.ts'
import { array, bulk, bulks, integer, map, OK, status, verbatim } from '../../../protocol/resp.ts'

const fail =
  (message: string): Command =>
  () => {
    throw new ErrorReply(message)
  }

const flush =
  (all: boolean): Command =>
  (call) => {
    const { args, server, client, now } = call
    if (args.length > 2 || (args.length === 2 && !/^(a?sync)$/i.test(args[1]!))) throw syntaxError()
    const removed = server.keyspace.flush(all ? undefined : client.db)
    if (all && server.children.running) server.children.running.isKilled = true
    // FLUSHALL saves the empty file at once, where files are saved at all.
    const isSaved = all && server.config.get('save')
    if (isSaved) Object.assign(server.counters, { dirty: 0, savedAt: now })
    countChanges(call, isSaved ? 0 : removed)
    return OK
  }

const NOT_BUSY = fail('NOTBUSY No scripts in execution right now.')

const save: Command = ({ server, now }) => {
  if (server.children.running) throw alreadySaves()
  Object.assign(server.counters, { saves: server.counters.saves + 1, savedAt: now, dirty: 0 })
  return OK
}

const backgroundSave: Command = (call) => {
  const { args, server, client } = call
  if (args.length > 1 && upper(args[1]) !== 'SCHEDULE') throw syntaxError()
  if (server.children.running) throw alreadySaves()
  if (isInExec(client)) {
    scheduleSave(call)
    return status('Background saving scheduled')
  }
  beginSave(call)
  return status('Background saving started')
}

const isInExec = ({ isInTransaction, isInScript }: Call['client']): boolean => isInTransaction && !isInScript
const alreadySaves = (): ErrorReply => new ErrorReply('ERR Background save already in progress')

const INFO_WORK = 20_000

const MONITOR_OFF = `I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Redis instance. You may use "CONFIG SET latency-monitor-threshold <milliseconds>." in order to enable it. If we weren't in a deep space mission I'd suggest to take a look at https://redis.io/topics/latency-monitor.\n`
const NO_LATENCY =
  'Dave, no latency spike was observed during the lifetime of this Redis instance, not in the slightest bit. I honestly think you ought to sit down calmly, take a stress pill, and think things over.\n'

export const administration: Record<string, Command> = {
  info: (call) => {
    for (let db = 0; db < DATABASES; db += 1) call.work.spend(call.server.keyspace.count(db))
    call.work.spend(INFO_WORK)
    return verbatim(infoText(call), call.client.resp)
  },
  time: ({ now }) => bulks([String(Math.floor(now / 1000)), String((now % 1000) * 1000 + 417)]),
  lolwut: ({ client }) => verbatim('Redis ver. 7.0.15\n', client.resp),
  lastsave: ({ server }) => integer(Math.floor(server.counters.savedAt / 1000)),
  save,
  bgsave: backgroundSave,
  flushall: flush(true),
  flushdb: flush(false),
  monitor({ server, client }) {
    if (client.isInTransaction) throw new ErrorReply("ERR MONITOR isn't allowed for DENY BLOCKING client")
    server.monitors.add(client)
    return OK
  },
  shutdown: ({ args }) => {
    if (args.length === 2 && upper(args[1]) === 'ABORT') throw new ErrorReply('ERR No shutdown in progress.')
    if (args.slice(1).some((word) => !/^(nosave|save|now|force)$/i.test(word))) throw syntaxError()
    throw new ErrorReply('ERR Errors trying to SHUTDOWN. Check logs.')
  },
  'config|get': ({ args, server, client, work }) =>
    map(
      readConfig(server.config, args.slice(2), work).map((text) => bulk(text)),
      client.resp,
    ),
  'config|set': (call) => {
    const { args, server } = call
    keepNextLook(call, () => writeConfig(server.config, args.slice(2)))
    const password = server.config.get('requirepass')
    if (args.slice(2).some((word, i) => i % 2 === 0 && upper(word) === 'REQUIREPASS'))
      applyRules(
        server.users.get('default')!,
        password ? ['resetpass', `>${password}`] : ['nopass'],
        call.work,
      )
    return OK
  },
  'config|resetstat': ({ server }) => {
    server.errors.clear()
    server.calls.clear()
    Object.assign(server.counters, { connections: 0, commands: 0, errorReplies: 0, hits: 0, misses: 0 })
    Object.assign(server.counters, { saves: 0, forks: 0 })
    return OK
  },
  'config|rewrite': () => OK,
  'module|list': () => array([]),
  'script|kill': NOT_BUSY,
  'latency|histogram': ({ client }) => map([], client.resp),
  'latency|doctor': ({ server, client }) =>
    verbatim(server.config.get('latency-monitor-threshold') === '0' ? MONITOR_OFF : NO_LATENCY, client.resp),
}
