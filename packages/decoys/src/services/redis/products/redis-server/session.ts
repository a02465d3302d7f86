// Redis without a password: every command raises an event, and a small keyspace gives plausible replies.
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import { newChildren } from './server/children.ts'
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { defaultUser, isOpen, type User } from './access/user.ts'
import { MIN_LINE_WORK, lineWork, TooMuchWork, type LineWork } from '../../../../session/line-work.ts'
import type { Call, Client, Server } from './model/call.ts'
import { decode, newArrayProgress, type Request } from './codec.ts'
import { findCommand } from './command-table/table.ts'
import { initialConfig } from './server/config.ts'
import { countQuit, runCommand } from './execute.ts'
import { endDueWaits, serveBlocked } from './clients/blocked.ts'
import { Keyspace } from './values/keyspace.ts'
import { takeOutbox } from './clients/outbox.ts'
import { isHeldBack } from './clients/paused.ts'
import { newReplica } from './server/replica.ts'
import { serveReplica } from './server/replication.ts'
import { error, OK } from '../../protocol/resp.ts'
import { lastStart, lookMs } from './server/server-process.ts'

/** After which a connection may be given up for another one. */
const IDLE_MS = 300_000
/** After which a connection ends whose command costs too much. */
const OVERLOADED_MS = 60_000

const newServer = (): Server => ({
  keyspace: new Keyspace(),
  config: initialConfig(),
  looksFrom: undefined,
  users: new Map([['default', defaultUser()]]),
  denials: [],
  clients: new Set(),
  waiting: new Set(),
  waitedWords: new Set(),
  hasWritten: false,
  monitors: new Set(),
  outboxBytes: 0,
  pausedUntil: 0,
  pausesOnlyWrites: false,
  scripts: new Map(),
  steady: steadyTime(),
  scriptsBusyUntil: 0,
  busyUntil: 0,
  errors: new Map(),
  calls: new Map(),
  isReading: false,
  weighs: true,
  changes: undefined,
  children: newChildren(),
  slowLog: [],
  slowEntries: 0,
  master: undefined,
  formerMasters: 0,
  counters: {
    clients: 0,
    clientIds: 0,
    connections: 0,
    commands: 0,
    errorReplies: 0,
    hits: 0,
    misses: 0,
    savedAt: 0,
    saves: 0,
    forks: 0,
    hasSavedInBackground: false,
    dirty: 0,
  },
})

/** Sessions with one server. They share its keys, which live as long as the listener. */
export function redisSession(): SessionRunner {
  const server = newServer()
  /** That of its settings, until somebody sets another one. */
  let port = Number.NaN
  function listenAt(now: number): void {
    if (now !== port) server.config.set('port', String(now))
    port = now
  }
  return sessionRunner<Client, Request>({
    limits: { frameBytes: 1024 * 1024, idleMs: IDLE_MS },
    decode: (bytes, client) => {
      const decoded = decode(bytes, client.isAuthenticated, client.arrayProgress)
      if (decoded && 'frame' in decoded) client.hasMoreInput = decoded.length < bytes.length
      return decoded
    },
    open(context) {
      const { counters } = server
      listenAt(context.dst.port)
      counters.clients += 1
      counters.connections += 1
      counters.savedAt ||= lastStart({ now: context.now(), context }).at * 1000
      counters.clientIds += 1
      const client = newClient(counters.clientIds + 2, server.users.get('default')!, context)
      server.clients.add(client)
      endDueWaits(server, context.now())
      return { state: client }
    },
    step(client, request, context) {
      if (client.isKilled) return { state: client, close: 'end' }
      if ('error' in request) return protocolError(server, client, request.error)
      if (request.length === 0) return sendOutbox(server, client)
      const now = context.now()
      if (isHeldBack(server, client, request, now)) return postpone(server, client, request, now)
      return answer({ args: request, server, client, context, now, work: workOf(context) })
    },
    // What was answered before is sent by now.
    partial(client, _, context) {
      client.hasUnsentReplies = false
      endDueWaits(server, context.now())
      return sendOutbox(server, client)
    },
    heldInput(client, context) {
      client.hasMoreInput = true
      return wake(server, client, context)
    },
    wake: (client, context) => wake(server, client, context),
    keptBytes: ({ queuedBytes, subscribedBytes, outboxBytes }) => queuedBytes + subscribedBytes + outboxBytes,
    // `timeout` is 0.
    idle: (client) => ({ state: client }),
    closed(client) {
      takeOutbox(server, client)
      endDueWaits(server, client.context.now())
      server.clients.delete(client)
      server.waiting.delete(client)
      server.monitors.delete(client)
      server.counters.clients -= 1
      return []
    },
  })
}

/** A line whose answer nobody reads gets just enough to be recorded. */
const workOf = ({ isGone }: SessionContext): LineWork => lineWork(isGone ? MIN_LINE_WORK : undefined)

const newClient = (id: number, user: User, context: SessionContext): Client => ({
  id,
  context,
  user,
  resp: 2,
  db: 0,
  name: '',
  connectedAt: context.now(),
  lastAt: context.now(),
  lastWords: [],
  queue: undefined,
  queuedBytes: 0,
  hasQueueError: false,
  isInTransaction: false,
  waitMs: undefined,
  wakeMs: undefined,
  replica: newReplica(),
  arrayProgress: newArrayProgress(),
  hasMoreInput: false,
  isHeld: false,
  hasUnsentReplies: false,
  isAuthenticated: isOpen(user),
  isInScript: false,
  isKilled: false,
  watched: [],
  tracking: undefined,
  replies: 'on',
  channels: new Set(),
  shardChannels: new Set(),
  patterns: new Set(),
  subscribedBytes: 0,
  outbox: [],
  outboxBytes: 0,
  ownLines: '',
  blocked: undefined,
  postponed: undefined,
})

const commandEvent = (command: string, args: string): DecoyEvent => ({
  logtype: '21001',
  fields: { CMD: command, ARGS: args },
})

const sendOutbox = (server: Server, client: Client): Step<Client> => ({
  state: client,
  send: encode(takeOutbox(server, client)),
})

const protocolError = (server: Server, client: Client, message: string): Step<Client> => ({
  state: client,
  events: [commandEvent('(PROTOCOL ERROR)', message)],
  send: encode(takeOutbox(server, client) + error(`ERR Protocol error: ${message}`)),
  close: 'end',
})

const eventOf = (args: readonly string[]): DecoyEvent =>
  commandEvent(findCommand(args[0]!)?.upperName ?? readable(args[0]!.toUpperCase()), joined(args))

function answer(call: Call): Step<Client> {
  const { args, client, server } = call
  const word = args[0]!
  const command = findCommand(word)
  const events = [eventOf(args)]
  client.lastAt = call.now
  client.lastWords = shortened(args)
  if (command?.name === 'quit') {
    const reply = countQuit(call, command)
    const send = takeOutbox(server, client) + (client.replies === 'on' ? reply : '')
    return { state: client, events, send: encode(send), close: 'end' }
  }
  // Redis takes these for a cross-protocol request of a browser, and closes ("SECURITY ATTACK" in its log).
  if (!command && /^(post|host:)$/i.test(word)) return { state: client, events, close: 'discard' }
  const wasSkipping = client.replies === 'skip'
  const wasReplica = client.replica.phase !== 'none'
  const direct = runWithin(call)
  if (direct === undefined) return { state: client, events, delayMs: OVERLOADED_MS, close: 'reset' }
  endDueWaits(server, call.now)
  const reply = takeOutbox(server, client) + direct + client.ownLines
  client.ownLines = ''
  // The server frees replicas that it would have to answer.
  if (wasReplica && reply !== '') return { state: client, events, close: 'end' }
  const isSilent = client.replies === 'off' || client.replies === 'skip' || wasSkipping
  if (wasSkipping && client.replies === 'skip') client.replies = 'on'
  const { waitMs: delayMs, wakeMs } = client
  client.waitMs = undefined
  client.wakeMs = undefined
  // What it waited for before is answered, too.
  if (client.blocked)
    return { ...wait(server, client, events, call), ...(reply !== '' && { send: encode(reply) }) }
  client.hasUnsentReplies = client.hasMoreInput && (client.hasUnsentReplies || reply !== '')
  if (client.isKilled) return { state: client, events, send: encode(reply), close: 'end' }
  if (isSilent && reply !== OK) return { state: client, events }
  return {
    state: client,
    events,
    send: encode(reply),
    ...(delayMs && { delayMs }),
    ...(wakeMs && { wakeMs }),
  }
}

/**
 * The reply, and what it means for those who wait. Undefined: the line costs too much. The real server would be busy with it for
 * minutes, and clients do not wait so long.
 */
function runWithin(call: Call): string | undefined {
  try {
    const reply = runCommand(call)
    serveBlocked(call.server, call)
    return reply
  } catch (thrown) {
    if (thrown instanceof TooMuchWork) return undefined
    throw thrown
  }
}

/** Nothing is answered until another connection ends the wait, or its time does. */
function wait(
  server: Server,
  client: Client,
  events: readonly DecoyEvent[],
  call: Pick<Call, 'now' | 'context'>,
): Step<Client> {
  server.waiting.add(client)
  client.isHeld = true
  for (const word of client.blocked?.args ?? []) server.waitedWords.add(word)
  return { state: client, events, ...stillWaiting(server, client, call) }
}

/** A timer may come early: as long as the time-out is not due, there is another one. */
function stillWaiting(server: Server, { blocked }: Client, { now, context }: Pick<Call, 'now' | 'context'>) {
  const until = blocked?.until
  return { holds: true, ...(until !== undefined && { wakeMs: lookMs({ server, context, now }, until) }) }
}

function postpone(server: Server, client: Client, args: readonly string[], now: number): Step<Client> {
  client.postponed = args
  client.isHeld = true
  return { ...hold(server, client, now), ...sendOutbox(server, client), events: [eventOf(args)] }
}

const hold = ({ pausedUntil }: Server, client: Client, now: number): Step<Client> => ({
  state: client,
  holds: true,
  wakeMs: pausedUntil - now,
})

/** Another connection has something for this one, or a time has come. */
function wake(server: Server, client: Client, context: SessionContext): Step<Client> {
  const now = context.now()
  endDueWaits(server, now)
  if (isReleasedBeforeMore(client)) {
    client.isHeld = false
    client.hasUnsentReplies = client.outbox.length > 0
    return { state: client, holds: false }
  }
  const send = encode(takeOutbox(server, client))
  if (client.isKilled) return { state: client, send, close: 'end' }
  if (client.postponed && server.pausedUntil > now) return hold(server, client, now)
  if (client.postponed) {
    const args = client.postponed
    client.postponed = undefined
    client.isHeld = false
    // Its event was raised when it came.
    return {
      holds: false,
      ...answer({ args, server, client, context, now, work: workOf(context) }),
      events: [],
    }
  }
  if (client.replica.phase !== 'none') return serveReplica(server, client)
  if (client.blocked) return { state: client, send, ...stillWaiting(server, client, { now, context }) }
  client.isHeld = false
  client.hasUnsentReplies = client.hasMoreInput && send.length > 0
  return { state: client, send, holds: false }
}

/** The end of its wait is answered together with the commands that it has sent meanwhile. */
const isReleasedBeforeMore = ({ isHeld, hasMoreInput, blocked, postponed, isKilled }: Client): boolean =>
  isHeld && hasMoreInput && !blocked && !postponed && !isKilled

/** The arguments behind the name. */
const joined = (args: readonly string[]): string =>
  args.length < 3 ? readable(args[1] ?? '') : readable(args.slice(1).join(' '))

/** CLIENT LIST shows the last command of each connection: it must not keep megabytes. */
const shortened = (args: readonly string[]): readonly string[] =>
  args.length <= 8 && args.every((word) => word.length < 512)
    ? args
    : args.slice(0, 2).map((word) => word.slice(0, 64))

/** Replies are latin1. ASCII may stay a text, which is cheaper to send. */
const encode = (reply: string): string | Buffer =>
  /[^\x00-\x7f]/.test(reply) ? Buffer.from(reply, 'latin1') : reply
