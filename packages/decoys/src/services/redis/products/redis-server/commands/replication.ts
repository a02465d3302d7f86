// Commands between a master and its replicas. Intruders use them to copy all keys, or to make the server fetch theirs.
import { block } from '../clients/blocked.ts'
import { cString, ErrorReply, parseInteger, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { isOwnMachine } from '../server/own-machine.ts'
import type { Replica } from '../server/replica.ts'
import { startSync } from '../server/replication.ts'
import { array, bulk, integer, OK, status } from '../../../protocol/resp.ts'

const replicaOf: Command = ({ args, server, now }) => {
  if (upper(args[1]) === 'NO' && upper(args[2]) === 'ONE') {
    if (server.master) server.formerMasters += 1
    server.master = undefined
    return OK
  }
  if (!/^\d{1,5}$/.test(args[2]!) || Number(args[2]) > 65_535) throw new ErrorReply('ERR Invalid master port')
  const [, host = '', port = ''] = args
  const isKnown = server.master?.host === host && server.master.port === Number(port)
  server.master = { host: host.slice(0, 255), port: Number(port), since: now }
  return isKnown ? status('OK Already connected to specified master') : OK
}

/** The event loop sees a refused connection so early. */
const REFUSAL_MS = 50

/** Its own machine refuses the connection, which commands of the same piece do not see; any other never answers. */
function linkState({ client, now }: Call, { host, since }: NonNullable<Call['server']['master']>): string {
  const isBegun = client.hasUnsentReplies && now - since < REFUSAL_MS
  return isOwnMachine(host) && !isBegun ? 'connect' : 'connecting'
}

const role: Command = (call) => {
  const { master } = call.server
  if (!master) return array([bulk('master'), integer(0), array([])])
  const state = linkState(call, master)
  return array([bulk('slave'), bulk(master.host), integer(master.port), bulk(state), integer(-1)])
}

const MAX_ADDRESS = 256

/** Each option notes or checks what it says, and answers whether REPLCONF ends there without a reply. */
const options: Readonly<Record<string, (replica: Replica, value: string) => boolean | void>> = {
  'listening-port': (_, value) => void toInteger(value),
  'ip-address': (_, value) => {
    if (value.length >= MAX_ADDRESS)
      throw new ErrorReply(
        `ERR REPLCONF ip-address provided by replica instance is too long: ${value.length} bytes`,
      )
  },
  capa: (replica, value) => void (replica.takesEof ||= value.toLowerCase() === 'eof'),
  ack: () => true,
  getack: () => true,
  'rdb-only': (replica, value) => {
    const flag = toInteger(value)
    if (flag !== 0 && flag !== 1)
      throw new ErrorReply('ERR value is out of range, value must between 0 and 1')
    replica.wantsRdbOnly = flag === 1
  },
  'rdb-filter-only': (replica, value) => {
    const filters = value.split(/\s+/).filter(Boolean)
    const unknown = filters.find((filter) => filter.toLowerCase() !== 'functions')
    if (unknown !== undefined)
      throw new ErrorReply(`ERR Unsupported rdb-filter-only option: ${cString(unknown)}`)
    replica.wantsFunctionsOnly = filters.length > 0
  },
}

const replconf: Command = ({ args, client }) => {
  if (args.length % 2 === 0) throw syntaxError()
  for (let at = 1; at < args.length; at += 2) {
    const option = options[args[at]!.toLowerCase()]
    if (!option) throw new ErrorReply(`ERR Unrecognized REPLCONF option: ${cString(args[at]!)}`)
    if (option(client.replica, args[at + 1]!)) return ''
  }
  return OK
}

const sync =
  (isPsync: boolean): Command =>
  (call: Call) => {
    const { args, client, server } = call
    const { replica } = client
    if (replica.phase !== 'none') return ''
    if (server.master) throw new ErrorReply("NOMASTERLINK Can't SYNC while not connected with my master")
    if (client.hasUnsentReplies) throw new ErrorReply('ERR SYNC and PSYNC are invalid with pending output')
    if (replica.wantsFunctionsOnly && !replica.takesEof)
      throw new ErrorReply('ERR Filtered replica requires EOF capability')
    if (isPsync) toInteger(args[2])
    return startSync(call, isPsync)
  }

const wait: Command = (call) => {
  const { args, server } = call
  if (server.master)
    throw new ErrorReply(
      'ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.',
    )
  const wanted = toInteger(args[1])
  const timeout = parseInteger(args[2]!)
  if (timeout === undefined) throw new ErrorReply('ERR timeout is not an integer or out of range')
  if (timeout < 0) throw new ErrorReply('ERR timeout is negative')
  return wanted <= 0 ? integer(0) : block(call, { ms: timeout, timeoutReply: integer(0) })
}

const failover: Command = ({ args }) => {
  if (args.length === 2 && upper(args[1]) === 'ABORT') throw new ErrorReply('ERR No failover in progress.')
  throw new ErrorReply('ERR FAILOVER requires connected replicas.')
}

export const replicationCommands: Record<string, Command> = {
  slaveof: replicaOf,
  replicaof: replicaOf,
  role,
  replconf,
  psync: sync(true),
  sync: sync(false),
  wait,
  failover,
}
