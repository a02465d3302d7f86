// Commands about the client's own connection.
import {
  toInteger,
  notInteger,
  ErrorReply,
  syntaxError,
  upper,
  type Call,
  type Client,
  type Server,
  type Command,
} from '../call.ts'
import { isDatabase } from '../keyspace.ts'
import { array, bulk, bulks, integer, map, nil, OK, push, status, verbatim } from '../resp.ts'

const HELLO_NEEDS_AUTH =
  'NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time'
const WRONG_PASSWORD = 'WRONGPASS invalid username-password pair or user is disabled.'
const BAD_NAME = 'ERR Client names cannot contain spaces, newlines or special characters.'

const checkName = (name: string): string => {
  if (!/^[!-~]*$/.test(name)) throw new ErrorReply(BAD_NAME)
  return name
}

/** The user `default` takes any password until one is set. */
const isPassword = ({ config }: Server, user: string | undefined, password: string | undefined): boolean =>
  user === 'default' && (!config.get('requirepass') || config.get('requirepass') === password)

const auth: Command = ({ args, client, server }) => {
  if (args.length > 3) throw syntaxError()
  const password = server.config.get('requirepass')
  if (password) {
    const user = args.length === 3 ? args[1] : 'default'
    if (!isPassword(server, user, args.at(-1))) throw new ErrorReply(WRONG_PASSWORD)
    client.isAuthenticated = true
    return OK
  }
  if (args.length === 2) {
    throw new ErrorReply(
      'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
    )
  }
  if (args[1] !== 'default') throw new ErrorReply(WRONG_PASSWORD)
  return OK
}

const hello: Command = ({ args, client, server }) => {
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
      if (!isPassword(server, args[at + 1], args[at + 2])) throw new ErrorReply(WRONG_PASSWORD)
      client.isAuthenticated = true
      at += 2
    } else if (word === 'SETNAME' && at + 1 < args.length) name = checkName(args[(at += 1)]!)
    else throw new ErrorReply(`ERR Syntax error in HELLO option '${args[at]}'`)
  }
  if (!client.isAuthenticated) throw new ErrorReply(HELLO_NEEDS_AUTH)
  if (name !== undefined) client.name = name
  client.resp = protocol
  const facts = ['server', 'redis', 'version', '7.0.15'].map(bulk)
  return map(
    [
      ...facts,
      bulk('proto'),
      integer(protocol),
      bulk('id'),
      integer(client.id),
      ...['mode', 'standalone', 'role', 'master', 'modules'].map(bulk),
      array([]),
    ],
    protocol,
  )
}

/** One line of CLIENT LIST. */
function clientLine({ client, context, now, args }: Call): string {
  const age = Math.floor((now - client.connectedAt) / 1000)
  const used = args.reduce((sum, word) => sum + word.length + 5, 0)
  const command = args.slice(0, 2).join('|').toLowerCase()
  return (
    `id=${client.id} addr=${context.src.host}:${context.src.port} laddr=${context.dst.host}:${context.dst.port} fd=8 ` +
    `name=${client.name} age=${age} idle=0 flags=N db=${client.db} sub=${client.channels.size} ` +
    `psub=${client.patterns.size} ssub=0 multi=-1 qbuf=${used} qbuf-free=${Math.max(0, 20_474 - used)} argv-mem=10 ` +
    `multi-mem=0 rbs=16384 rbp=16384 obl=0 oll=0 omem=0 tot-mem=37658 events=r cmd=${command} user=default redir=-1 resp=${client.resp}\n`
  )
}

const subscribe =
  (kind: string, of: (client: Client) => Set<string>): Command =>
  ({ args, client }) =>
    args
      .slice(1)
      .map((name) => {
        of(client).add(name)
        return push(
          [bulk(kind), bulk(name), integer(client.channels.size + client.patterns.size)],
          client.resp,
        )
      })
      .join('')

const unsubscribe =
  (kind: string, of: (client: Client) => Set<string>): Command =>
  ({ args, client }) => {
    const names = args.length > 1 ? args.slice(1) : [...of(client)].reverse()
    const count = (): string => integer(client.channels.size + client.patterns.size)
    if (names.length === 0) return push([bulk(kind), nil(client.resp), count()], client.resp)
    return names
      .map((name) => {
        of(client).delete(name)
        return push([bulk(kind), bulk(name), count()], client.resp)
      })
      .join('')
  }

export const isSubscribed = ({ channels, patterns }: Client): boolean => channels.size + patterns.size > 0

const checkClientType = (type: string | undefined): void => {
  if (!/^(normal|master|replica|slave|pubsub)$/i.test(type ?? ''))
    throw new ErrorReply(`ERR Unknown client type '${type}'`)
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
    const db = toInteger(args[1])
    if (!isDatabase(db)) throw new ErrorReply('ERR DB index is out of range')
    client.db = db
    return OK
  },
  reset: ({ client }) => {
    Object.assign(client, { resp: 2, db: 0, name: '', queue: undefined, hasQueueError: false, replies: 'on' })
    client.channels.clear()
    client.patterns.clear()
    return status('RESET')
  },
  'client|id': ({ client }) => integer(client.id),
  'client|getname': ({ client }) => (client.name ? bulk(client.name) : nil(client.resp)),
  'client|setname': ({ args, client }) => {
    client.name = checkName(args[2]!)
    return OK
  },
  'client|info': (call) => verbatim(clientLine(call), call.client.resp),
  'client|list': (call) => {
    const [, , option, value] = call.args
    if (option === undefined) return verbatim(clientLine(call), call.client.resp)
    if (upper(option) === 'TYPE' && call.args.length === 4) {
      checkClientType(value)
      return verbatim(value!.toLowerCase() === 'normal' ? clientLine(call) : '', call.client.resp)
    }
    if (upper(option) !== 'ID' || value === undefined) throw syntaxError()
    if (!/^\d{1,18}$/.test(value)) throw new ErrorReply('ERR Invalid client ID')
    return verbatim(
      call.args.slice(3).includes(String(call.client.id)) ? clientLine(call) : '',
      call.client.resp,
    )
  },
  'client|kill': ({ args }) => {
    if (args.length === 3) throw new ErrorReply('ERR No such client')
    if (args.length % 2) throw syntaxError()
    for (let at = 2; at < args.length; at += 2) if (upper(args[at]) === 'TYPE') checkClientType(args[at + 1])
    return integer(0)
  },
  'client|pause': ({ args }) => {
    if (!/^\d{1,15}$/.test(args[2]!)) throw new ErrorReply('ERR timeout is not an integer or out of range')
    return OK
  },
  'client|unpause': () => OK,
  'client|no-evict': ({ args }) => {
    if (!/^(on|off)$/i.test(args[2]!)) throw syntaxError()
    return OK
  },
  'client|reply': ({ args, client }) => {
    if (!/^(on|off|skip)$/i.test(args[2]!)) throw syntaxError()
    client.replies = args[2]!.toLowerCase() as Client['replies']
    return client.replies === 'on' ? OK : ''
  },
  'client|tracking': ({ args }) => {
    if (!/^(on|off)$/i.test(args[2]!)) throw syntaxError()
    return OK
  },
  'client|trackinginfo': ({ client }) =>
    map(
      [bulk('flags'), array([bulk('off')]), bulk('redirect'), integer(-1), bulk('prefixes'), array([])],
      client.resp,
    ),
  'client|getredir': () => integer(-1),
  'client|caching': () => {
    throw new ErrorReply(
      'ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled',
    )
  },
  'client|unblock': ({ args }) => {
    if (!/^\d{1,18}$/.test(args[2]!)) throw notInteger()
    return integer(0)
  },
  subscribe: subscribe('subscribe', (client) => client.channels),
  psubscribe: subscribe('psubscribe', (client) => client.patterns),
  ssubscribe: subscribe('ssubscribe', (client) => client.channels),
  unsubscribe: unsubscribe('unsubscribe', (client) => client.channels),
  punsubscribe: unsubscribe('punsubscribe', (client) => client.patterns),
  sunsubscribe: unsubscribe('sunsubscribe', () => new Set()),
}
