// Commands that administer the server; intruders try these first.
import { createHash } from 'node:crypto'
import { find, toInteger, ErrorReply, syntaxError, upper, type Command } from '../call.ts'
import { readConfig, writeConfig } from '../config.ts'
import { infoText } from '../info.ts'
import { commandNames, describeCommand, keysOf, findSpec } from '../command-table.ts'
import { array, bulk, bulks, integer, map, nil, OK, set, status, verbatim, type Protocol } from '../resp.ts'

const fail =
  (message: string): Command =>
  () => {
    throw new ErrorReply(message)
  }

const notAllowed = (name: string): Command =>
  fail(
    `ERR ${name} command not allowed. If the enable-${name.toLowerCase()}-command option is set to "local", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.`,
  )

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

const NO_ACL_FILE = fail(
  'ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order to store users in the Redis configuration.',
)
const NOT_BUSY = fail('NOTBUSY No scripts in execution right now.')

/** SAVE and BGSAVE: nothing is written, only the time of the last save moves. */
const saved = (reply: string): Command => {
  return ({ server, now }) => {
    server.counters.savedAt = now
    server.counters.dirty = 0
    return reply
  }
}

/** ACL GETUSER default. Passwords are shown as their SHA-256. */
const defaultUser = (resp: Protocol, password: string | undefined): string =>
  map(
    [
      bulk('flags'),
      set(['on', ...(password ? [] : ['nopass'])].map(bulk), resp),
      bulk('passwords'),
      bulks(password ? [createHash('sha256').update(password, 'latin1').digest('hex')] : []),
      bulk('commands'),
      bulk('+@all'),
      bulk('keys'),
      bulk('~*'),
      bulk('channels'),
      bulk('&*'),
      bulk('selectors'),
      array([]),
    ],
    resp,
  )

const USER_RULE =
  /^(on|off|nopass|reset|resetpass|resetkeys|resetchannels|allkeys|allchannels|allcommands|nocommands|sanitize-payload|skip-sanitize-payload|clearselectors|[><#!~&+-]\S*|%[RW]+~\S*|\(.*\))$/i

export const administration: Record<string, Command> = {
  info: (call) => verbatim(infoText(call), call.client.resp),
  time: ({ now }) => bulks([String(Math.floor(now / 1000)), String((now % 1000) * 1000 + 417)]),
  lolwut: ({ client }) => verbatim('Redis ver. 7.0.15\n', client.resp),
  lastsave: ({ server }) => integer(Math.floor(server.counters.savedAt / 1000)),
  role: ({ server: { master } }) =>
    master
      ? array([bulk('slave'), bulk(master.host), integer(master.port), bulk('connect'), integer(-1)])
      : array([bulk('master'), integer(0), array([])]),
  save: saved(OK),
  bgsave: (call) => {
    if (call.args.length > 1 && upper(call.args[1]) !== 'SCHEDULE') throw syntaxError()
    return saved(status('Background saving started'))(call)
  },
  bgrewriteaof: () => status('Background append only file rewriting started'),
  flushall: flush(true),
  flushdb: flush(false),
  slaveof: replicaOf,
  replicaof: replicaOf,
  monitor: () => OK,
  debug: notAllowed('DEBUG'),
  wait: ({ args }) => {
    toInteger(args[1])
    if (!/^-?\d{1,18}$/.test(args[2]!)) throw new ErrorReply('ERR timeout is not an integer or out of range')
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
        throw new ErrorReply(`ERR Unrecognized REPLCONF option: ${args[at]}`)
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
    return OK
  },
  'config|resetstat': () => OK,
  'config|rewrite': () => OK,
  'module|list': () => array([]),
  'module|load': notAllowed('MODULE'),
  'module|loadex': notAllowed('MODULE'),
  'module|unload': notAllowed('MODULE'),
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
  'acl|whoami': () => bulk('default'),
  'acl|list': () => bulks(['user default on nopass ~* &* +@all']),
  'acl|getuser': ({ args, client, server }) =>
    args[2] === 'default' ? defaultUser(client.resp, server.config.get('requirepass')) : nil(client.resp),
  'acl|users': () => bulks(['default']),
  'acl|cat': ({ args }) => {
    const wanted = args[2]?.toLowerCase()
    const categories = new Set(commandNames.flatMap((name) => findSpec(name)!.categories))
    if (wanted === undefined) return bulks([...categories].map((name) => name.slice(1)))
    if (!categories.has(`@${wanted}`)) throw new ErrorReply(`ERR Unknown category '${args[2]}'`)
    return bulks(commandNames.filter((name) => findSpec(name)!.categories.includes(`@${wanted}`)))
  },
  'acl|deluser': ({ args }) => {
    if (args.slice(2).includes('default')) throw new ErrorReply("ERR The 'default' user cannot be removed")
    return integer(0)
  },
  'acl|setuser': ({ args }) => {
    const wrong = args.slice(3).find((word) => !USER_RULE.test(word))
    if (wrong === undefined) return OK
    throw new ErrorReply(`ERR Error in ACL SETUSER modifier '${wrong}': Syntax error`)
  },
  'acl|log': ({ args }) => (upper(args[2]) === 'RESET' ? OK : array([])),
  'acl|load': NO_ACL_FILE,
  'acl|save': NO_ACL_FILE,
  'acl|dryrun': () => OK,
  'acl|genpass': ({ args, context }) => {
    const bits = args[2] === undefined ? 256 : toInteger(args[2])
    if (bits <= 0 || bits > 4096)
      throw new ErrorReply(
        'ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to 4096',
      )
    return bulk(
      context
        .random(Math.ceil(bits / 8))
        .toString('hex')
        .slice(0, Math.ceil(bits / 4)),
    )
  },
  command: () => array(commandNames.map(describeCommand)),
  'command|count': () => integer(commandNames.length),
  'command|info': ({ args, client }) =>
    array(
      (args.length > 2 ? args.slice(2) : commandNames).map(
        (name) => describeCommand(name) || nil(client.resp),
      ),
    ),
  'command|docs': ({ client }) => map([], client.resp),
  'command|list': ({ args }) => {
    if (args.length > 2) throw syntaxError()
    return bulks(commandNames)
  },
  'command|getkeys': ({ args }) => bulks(keysOf(args.slice(2))),
  'slowlog|get': ({ args }) => {
    if (args[2] !== undefined && !/^(-1|\d{1,9})$/.test(args[2])) {
      throw new ErrorReply('ERR count should be greater than or equal to -1')
    }
    return array([])
  },
  'slowlog|len': () => integer(0),
  'slowlog|reset': () => OK,
  'memory|usage': (call) => {
    const entry = find(call, call.args[2]!)
    return entry
      ? integer(
          56 +
            JSON.stringify(
              entry.type === 'string'
                ? entry.value
                : entry.type === 'stream'
                  ? entry.value.entries.map(({ fields }) => fields)
                  : [...entry.value],
            ).length,
        )
      : nil(call.client.resp)
  },
  'pubsub|numsub': ({ args }) => array(args.slice(2).flatMap((name) => [bulk(name), integer(0)])),
}
