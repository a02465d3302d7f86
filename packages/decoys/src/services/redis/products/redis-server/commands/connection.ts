// Commands about the client's own connection.
import { noteDenial } from '../access/permissions.ts'
import { isOpen, isPasswordOf } from '../access/user.ts'
import { ErrorReply, syntaxError, toInt32, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { checkName } from '../clients/name.ts'
import { isDatabase } from '../values/keyspace.ts'
import { isSubscribed } from './pubsub.ts'
import { array, bulk, bulks, integer, map, OK, status } from '../../../protocol/resp.ts'

const HELLO_NEEDS_AUTH =
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time'

/** Lets the client in as the user, or notes that it failed. */
function authenticate(call: Call, name: string, password: string): void {
  const { server, client } = call
  const user = server.users.get(name)
  if (!user || !isPasswordOf(user, password)) {
    noteDenial(call, { reason: 'auth', object: call.args[0]! }, name)
    throw new ErrorReply('WRONGPASS invalid username-password pair or user is disabled.')
  }
  client.user = user
  client.isAuthenticated = true
}

const auth: Command = (call) => {
  const { args, server } = call
  if (args.length > 3) throw syntaxError()
  if (args.length === 2 && server.users.get('default')!.needsNoPassword) {
    throw new ErrorReply(
      'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
    )
  }
  authenticate(call, args.length === 3 ? args[1]! : 'default', args.at(-1)!)
  return OK
}

const hello: Command = (call) => {
  const { args, client, server } = call
  let protocol: 2 | 3 = client.resp
  if (args.length > 1) {
    if (!/^-?\d{1,19}$/.test(args[1]!))
      throw new ErrorReply('ERR Protocol version is not an integer or out of range')
    if (args[1] !== '2' && args[1] !== '3') throw new ErrorReply('NOPROTO unsupported protocol version')
    protocol = args[1] === '3' ? 3 : 2
  }
  let name: string | undefined
  for (let at = 2; at < args.length; at += 1) {
    const word = upper(args[at])
    if (word === 'AUTH' && at + 2 < args.length) {
      authenticate(call, args[at + 1]!, args[at + 2]!)
      at += 2
    } else if (word === 'SETNAME' && at + 1 < args.length) name = checkName(args[(at += 1)]!)
    else throw new ErrorReply(`ERR Syntax error in HELLO option '${args[at]}'`)
  }
  if (!client.isAuthenticated) throw new ErrorReply(HELLO_NEEDS_AUTH)
  if (name !== undefined) client.name = name
  client.resp = protocol
  const facts = ['server', 'redis', 'version', '7.0.15'].map(bulk)
  const role = server.master ? 'replica' : 'master'
  return map(
    [
      ...facts,
      ...[bulk('proto'), integer(protocol), bulk('id'), integer(client.id)],
      ...['mode', 'standalone', 'role', role, 'modules'].map(bulk),
      array([]),
    ],
    protocol,
  )
}

export const connection: Record<string, Command> = {
  ping: ({ args, client }) => {
    if (args.length > 2) throw new ErrorReply("ERR wrong number of arguments for 'ping' command")
    if (isSubscribed(client) && client.resp === 2) return bulks(['pong', args[1] ?? ''])
    return args.length > 1 ? bulk(args[1]!) : '+PONG\r\n'
  },
  echo: ({ args }) => bulk(args[1]!),
  auth,
  hello,
  select: ({ args, client }) => {
    const db = toInt32(args[1])
    if (!isDatabase(db)) throw new ErrorReply('ERR DB index is out of range')
    client.db = db
    return OK
  },
  reset: ({ client, server }) => {
    Object.assign(client, { resp: 2, db: 0, name: '', replies: 'on', subscribedBytes: 0 })
    Object.assign(client, { queue: undefined, queuedBytes: 0, hasQueueError: false })
    const user = server.users.get('default')!
    Object.assign(client, { watched: [], tracking: undefined, user, isAuthenticated: isOpen(user) })
    client.channels.clear()
    client.patterns.clear()
    client.shardChannels.clear()
    server.monitors.delete(client)
    return status('RESET')
  },
}
