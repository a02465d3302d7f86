// ACL: users, their rules, and who was denied what.
import { dryRunText, permissionError } from '../access/permissions.ts'
import { applyRules } from '../access/rules.ts'
import {
  CATEGORIES,
  channelRules,
  commandRules,
  copyUser,
  flagsOf,
  isInCategory,
  keyRules,
  newUser,
  userLine,
  type Selector,
  type User,
} from '../access/user.ts'
import { cString, ErrorReply, toInteger, upper, wrongSubcommand } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { listedSpecs } from '../command-table/order.ts'
import { hasArity, lookUp } from '../command-table/table.ts'
import {
  array,
  bulk,
  bulks,
  double,
  integer,
  map,
  nil,
  OK,
  set,
  type Protocol,
} from '../../../protocol/resp.ts'
import { killClient } from '../clients/outbox.ts'
import { formatDouble } from '../../../protocol/numbers.ts'

const MAX_USERS = 100

const noFile: Command = () => {
  throw new ErrorReply(
    'ERR This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in order to store users in the Redis configuration.',
  )
}

/** The rules of a selector are searched for. */
const SELECTOR_WORK = 4_000
const rulesWork = ({ selectors }: User): number => SELECTOR_WORK * (1 + selectors.length)

const selectorFields = (selector: Selector): string[] => [
  ...[bulk('commands'), bulk(commandRules(selector))],
  ...[bulk('keys'), bulk(keyRules(selector))],
  ...[bulk('channels'), bulk(channelRules(selector))],
]

const getUser: Command = ({ args, server, work, client: { resp } }) => {
  const user = server.users.get(args[2]!)
  if (!user) return nil(resp)
  work.spend(rulesWork(user))
  return map(
    [
      ...[bulk('flags'), set(flagsOf(user).map(bulk), resp)],
      ...[bulk('passwords'), bulks(user.passwords)],
      ...selectorFields(user.root),
      ...[bulk('selectors'), array(user.selectors.map((selector) => map(selectorFields(selector), resp)))],
    ],
    resp,
  )
}

const setUser: Command = ({ args, server, work }) => {
  const name = args[2]!
  if (/[\s\0]/.test(name)) throw new ErrorReply("ERR Usernames can't contain spaces or null characters")
  const known = server.users.get(name)
  const changed = known ? copyUser(known) : newUser(name)
  applyRules(changed, args.slice(3), work)
  if (!known && server.users.size >= MAX_USERS) return OK
  if (known) Object.assign(known, changed)
  else server.users.set(name, changed)
  return OK
}

const deleteUser: Command = ({ args, server }) => {
  const names = args.slice(2)
  if (names.includes('default')) throw new ErrorReply("ERR The 'default' user cannot be removed")
  const deleted = names.filter((name) => server.users.delete(name))
  for (const each of server.clients) if (deleted.includes(each.user.name)) killClient(each)
  return integer(deleted.length)
}

const categories: Command = (call) => {
  const { args } = call
  if (args.length > 3) throw wrongSubcommand({ args })
  if (args[2] === undefined) return bulks(CATEGORIES)
  const wanted = args[2].toLowerCase()
  if (!CATEGORIES.includes(wanted)) throw new ErrorReply(`ERR Unknown category '${cString(args[2])}'`)
  const found = listedSpecs(call).filter((spec) => isInCategory(spec, wanted))
  return bulks(found.map(({ name }) => name))
}

const dryRun: Command = ({ args, server, work }) => {
  const [, , name = '', ...words] = args
  const user = server.users.get(name)
  if (!user) throw new ErrorReply(`ERR User '${cString(name)}' not found`)
  const spec = lookUp(words)
  if (!spec) throw new ErrorReply(`ERR Command '${cString(words[0]!)}' not found`)
  if (!hasArity(spec, words.length))
    throw new ErrorReply(`ERR wrong number of arguments for '${spec.name}' command`)
  const denial = permissionError(user, spec, words, work.spend)
  return denial ? bulk(dryRunText(denial)) : OK
}

function log({ args, server, now, client }: Call): string {
  if (args.length > 3) throw wrongSubcommand({ args })
  if (upper(args[2]) === 'RESET') {
    server.denials = []
    return OK
  }
  const most = args[2] === undefined ? 10 : toInteger(args[2])
  return array(
    server.denials
      .slice(0, Math.max(0, most))
      .map((entry) =>
        map(
          [
            ...[bulk('count'), integer(entry.count)],
            ...['reason', entry.reason, 'context', entry.context].map(bulk),
            ...['object', entry.object, 'username', entry.username].map(bulk),
            ...[bulk('age-seconds'), age((now - entry.at) / 1000, client.resp)],
            ...[bulk('client-info'), bulk(entry.client)],
          ],
          client.resp,
        ),
      ),
  )
}

const age = (seconds: number, resp: Protocol): string => double(formatDouble(seconds), resp)

const generatePassword: Command = ({ args, context }) => {
  if (args.length > 3) throw wrongSubcommand({ args })
  const bits = args[2] === undefined ? 256 : toInteger(args[2])
  if (bits <= 0 || bits > 4096)
    throw new ErrorReply(
      'ERR ACL GENPASS argument must be the number of bits for the output password, a positive number up to 4096',
    )
  const digits = Math.ceil(bits / 4)
  return bulk(
    context
      .random(Math.ceil(digits / 2))
      .toString('hex')
      .slice(0, digits),
  )
}

const byName = ({ users }: Call['server']) => [...users.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

export const acl: Record<string, Command> = {
  'acl|whoami': ({ client }) => bulk(client.user.name),
  'acl|list': ({ server, work }) => {
    for (const user of server.users.values()) work.spend(rulesWork(user))
    return bulks(byName(server).map(userLine))
  },
  'acl|users': ({ server }) => bulks(byName(server).map(({ name }) => name)),
  'acl|getuser': getUser,
  'acl|setuser': setUser,
  'acl|deluser': deleteUser,
  'acl|cat': categories,
  'acl|dryrun': dryRun,
  'acl|log': log,
  'acl|genpass': generatePassword,
  'acl|load': noFile,
  'acl|save': noFile,
}
