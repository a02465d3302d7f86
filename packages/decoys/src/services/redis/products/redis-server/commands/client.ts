// CLIENT: this connection, and the others.
import { ErrorReply, notInteger, syntaxError, toInteger, upper, wrongSubcommand } from '../arguments.ts'
import type { Call, Client, Command } from '../model/call.ts'
import type { TrackingMode } from '../model/client.ts'
import { clientLine } from '../clients/line.ts'
import { endPause, pauseClients } from '../clients/paused.ts'
import { killClient } from '../clients/outbox.ts'
import { unblock } from '../clients/blocked.ts'
import { isSubscribed } from './pubsub.ts'
import { checkName } from '../clients/name.ts'
import { array, bulk, bulks, integer, map, nil, OK, set, verbatim } from '../../../protocol/resp.ts'

/** Of a line of CLIENT LIST. */
const LINE_WORK = 100

const typeOf = (client: Client): string =>
  client.replica.phase !== 'none' ? 'replica' : isSubscribed(client) ? 'pubsub' : 'normal'

function readType(word: string): string {
  if (/^(normal|master|replica|slave|pubsub)$/i.test(word))
    return word.toLowerCase().replace('slave', 'replica')
  throw new ErrorReply(`ERR Unknown client type '${word}'`)
}

const list: Command = ({ args, server, client, now, work }) => {
  work.spend(server.clients.size * (LINE_WORK + args.length))
  const [, , option, ...values] = args
  let shown = [...server.clients]
  if (option !== undefined) {
    if (upper(option) === 'TYPE' && values.length === 1) {
      const type = readType(values[0]!)
      shown = shown.filter((each) => typeOf(each) === type)
    } else if (upper(option) === 'ID' && values.length > 0) {
      if (!values.every((value) => /^-?\d{1,18}$/.test(value))) throw new ErrorReply('ERR Invalid client ID')
      shown = values.flatMap((value) => shown.filter(({ id }) => String(id) === value))
    } else throw syntaxError()
  }
  return verbatim(shown.map((each) => `${clientLine(each, now, server.monitors)}\n`).join(''), client.resp)
}

type Filter = (other: Client) => boolean

const address = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host}:${port}`

function filterFor(call: Call, option: string, value: string): Filter {
  switch (upper(option)) {
    case 'ID': {
      if (!/^[1-9]\d{0,18}$/.test(value)) throw new ErrorReply('ERR client-id should be greater than 0')
      return ({ id }) => String(id) === value
    }
    case 'TYPE': {
      const type = readType(value)
      return (other) => typeOf(other) === type
    }
    case 'ADDR':
      return ({ context }) => address(context.src) === value
    case 'LADDR':
      return ({ context }) => address(context.dst) === value
    case 'USER':
      if (!call.server.users.has(value)) throw new ErrorReply(`ERR No such user '${value}'`)
      return ({ user }) => user.name === value
    case 'SKIPME':
      if (!/^(yes|no)$/i.test(value)) throw syntaxError()
      return (other) => /^no$/i.test(value) || other !== call.client
    default:
      throw syntaxError()
  }
}

const kill: Command = (call) => {
  const { args, server, client, work } = call
  work.spend(args.length * server.clients.size)
  if (args.length === 3) {
    const found = [...server.clients].find(({ context }) => address(context.src) === args[2])
    if (!found) throw new ErrorReply('ERR No such client')
    killClient(found)
    return OK
  }
  const filters: Filter[] = args.slice(2).some((word, i) => i % 2 === 0 && upper(word) === 'SKIPME')
    ? []
    : [(other) => other !== client]
  for (let at = 2; at < args.length; at += 2) {
    if (args[at + 1] === undefined) throw syntaxError()
    filters.push(filterFor(call, args[at]!, args[at + 1]!))
  }
  const killed = [...server.clients].filter((other) => filters.every((matches) => matches(other)))
  for (const each of killed) killClient(each)
  return integer(killed.length)
}

function readTracking(call: Call): TrackingMode {
  const modes = new Set<string>()
  const prefixes: string[] = []
  let redirect = 0
  const { args, server } = call
  for (let at = 3; at < args.length; at += 1) {
    const word = args[at]!.toLowerCase()
    if (word === 'redirect' && at + 1 < args.length) {
      redirect = toInteger(args[(at += 1)])
      if (![...server.clients].some(({ id }) => id === redirect))
        throw new ErrorReply('ERR The client ID you want redirect to does not exist')
    } else if (word === 'prefix' && at + 1 < args.length) prefixes.push(args[(at += 1)]!)
    else if (/^(bcast|optin|optout|noloop)$/.test(word)) modes.add(word)
    else throw syntaxError()
  }
  return { modes, prefixes, redirect }
}

function checkTracking(
  { modes, prefixes }: TrackingMode,
  current: TrackingMode | undefined,
  { work }: Call,
): void {
  work.spend(prefixes.length ** 2)
  const has = (mode: string): boolean => modes.has(mode)
  const differs = (mode: string): boolean => current !== undefined && current.modes.has(mode) !== has(mode)
  if (prefixes.length > 0 && !has('bcast'))
    throw new ErrorReply('ERR PREFIX option requires BCAST mode to be enabled')
  if (differs('bcast'))
    throw new ErrorReply(
      "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then re-enabling it with a different mode.",
    )
  if (has('bcast') && (has('optin') || has('optout')))
    throw new ErrorReply('ERR OPTIN and OPTOUT are not compatible with BCAST')
  if (has('optin') && has('optout'))
    throw new ErrorReply("ERR You can't specify both OPTIN mode and OPTOUT mode")
  if (differs('optin') || differs('optout'))
    throw new ErrorReply(
      "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then re-enabling it with a different mode.",
    )
  for (const [i, one] of prefixes.entries())
    for (const other of prefixes.slice(i + 1))
      if (one.startsWith(other) || other.startsWith(one))
        throw new ErrorReply(
          `ERR Prefix '${one}' overlaps with another provided prefix '${other}'. Prefixes for a single client must not overlap.`,
        )
}

const track: Command = (call) => {
  const { args, client } = call
  const wanted = readTracking(call)
  if (!/^(on|off)$/i.test(args[2]!)) throw syntaxError()
  if (upper(args[2]) === 'OFF') client.tracking = undefined
  else {
    checkTracking(wanted, client.tracking, call)
    client.tracking = wanted
  }
  return OK
}

const trackingInfo: Command = ({ client: { tracking, resp } }) =>
  map(
    [
      ...[bulk('flags'), set((tracking ? ['on', ...tracking.modes] : ['off']).map(bulk), resp)],
      ...[bulk('redirect'), integer(tracking?.redirect ?? -1)],
      ...[bulk('prefixes'), tracking ? bulks([...tracking.prefixes].sort()) : array([])],
    ],
    resp,
  )

const caching: Command = ({ args, client: { tracking } }) => {
  if (!tracking)
    throw new ErrorReply(
      'ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or OPTOUT mode enabled',
    )
  const word = upper(args[2])
  if (word !== 'YES' && word !== 'NO') throw syntaxError()
  const mode = word === 'YES' ? 'optin' : 'optout'
  if (!tracking.modes.has(mode))
    throw new ErrorReply(
      `ERR CLIENT CACHING ${word} is only valid when tracking is enabled in ${mode.toUpperCase()} mode.`,
    )
  tracking.modes.add(`caching-${word.toLowerCase()}`)
  return OK
}

const pause: Command = (call) => {
  const { args } = call
  if (args.length === 4 && !/^(write|all)$/i.test(args[3]!))
    throw new ErrorReply('ERR CLIENT PAUSE mode must be WRITE or ALL')
  if (args.length > 4) throw syntaxError()
  if (!/^-?\d{1,18}$/.test(args[2]!)) throw new ErrorReply('ERR timeout is not an integer or out of range')
  if (args[2]!.startsWith('-')) throw new ErrorReply('ERR timeout is negative')
  pauseClients(call, Number(args[2]), upper(args[3]) === 'WRITE')
  return OK
}

const UNBLOCKED = '-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n'

export const clientCommands: Record<string, Command> = {
  'client|id': ({ client }) => integer(client.id),
  'client|getname': ({ client }) => (client.name ? bulk(client.name) : nil(client.resp)),
  'client|setname': ({ args, client }) => {
    client.name = checkName(args[2]!)
    return OK
  },
  'client|info': ({ client, server, now }) =>
    verbatim(`${clientLine(client, now, server.monitors)}\n`, client.resp),
  'client|list': list,
  'client|kill': kill,
  'client|pause': pause,
  'client|unpause': ({ server }) => {
    endPause(server)
    return OK
  },
  'client|no-evict': ({ args }) => {
    if (!/^(on|off)$/i.test(args[2]!)) throw syntaxError()
    return OK
  },
  'client|reply': ({ args, client }) => {
    if (!/^(on|off|skip)$/i.test(args[2]!)) throw syntaxError()
    client.replies = args[2]!.toLowerCase() as Client['replies']
    return client.replies === 'on' ? OK : ''
  },
  'client|tracking': track,
  'client|trackinginfo': trackingInfo,
  'client|getredir': ({ client }) => integer(client.tracking?.redirect ?? -1),
  'client|caching': caching,
  'client|unblock': ({ args, server }) => {
    if (args.length > 4) throw wrongSubcommand({ args })
    if (args[3] !== undefined && !/^(timeout|error)$/i.test(args[3]))
      throw new ErrorReply('ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR')
    if (!/^-?\d{1,18}$/.test(args[2]!)) throw notInteger()
    const other = [...server.waiting].find(({ id }) => String(id) === args[2])
    if (!other?.blocked) return integer(0)
    const isError = upper(args[3]) === 'ERROR'
    unblock(server, other, isError ? UNBLOCKED : other.blocked.timeoutReply)
    return integer(1)
  },
}
