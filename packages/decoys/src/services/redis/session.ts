// Redis without a password: every command raises an event, and a small keyspace gives plausible replies.
import { readable } from '../../readable.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionRunner, Step } from '../../session.ts'
import type { Call, Client, Server } from './call.ts'
import { decode, type Request } from './codec.ts'
import { initialConfig } from './config.ts'
import { runCommand } from './execute.ts'
import { lastStart } from './info.ts'
import { Keyspace } from './keyspace.ts'
import { error, OK } from './resp.ts'

/** Sessions with one server. They share its keys, which live as long as the listener. */
export function redisSession(): SessionRunner {
  const server: Server = {
    keyspace: new Keyspace(),
    config: initialConfig(),
    scripts: new Map(),
    master: undefined,
    promotions: 0,
    counters: { clients: 0, connections: 0, commands: 0, savedAt: 0, dirty: 0 },
  }
  return sessionRunner<Client, Request>({
    limits: { frameBytes: 1024 * 1024, idleMs: 300_000 },
    decode: (bytes, { isAuthenticated }) => decode(bytes, isAuthenticated),
    open(context) {
      const { counters } = server
      counters.clients += 1
      counters.connections += 1
      counters.savedAt ||= lastStart({ now: context.now(), context }).at * 1000
      const isOpen = !server.config.get('requirepass')
      return { state: newClient(counters.connections + 2, context.now(), isOpen) }
    },
    step(client, request, context) {
      if ('error' in request) return protocolError(client, request.error)
      if (request.length === 0) return { state: client }
      return answer({ args: request, server, client, context, now: context.now() })
    },
    closed() {
      server.counters.clients -= 1
      return []
    },
  })
}

const newClient = (id: number, now: number, isAuthenticated: boolean): Client => ({
  id,
  resp: 2,
  db: 0,
  name: '',
  connectedAt: now,
  queue: undefined,
  queuedBytes: 0,
  hasQueueError: false,
  isInTransaction: false,
  waitMs: undefined,
  isAuthenticated,
  replies: 'on',
  channels: new Set(),
  patterns: new Set(),
})

const commandEvent = (command: string, args: string): DecoyEvent => ({
  logtype: '21001',
  fields: { CMD: command, ARGS: args },
})

const protocolError = (client: Client, message: string): Step<Client> => ({
  state: client,
  events: [commandEvent('(PROTOCOL ERROR)', message)],
  send: encode(error(`ERR Protocol error: ${message}`)),
  close: 'end',
})

function answer(call: Call): Step<Client> {
  const { args, client, server } = call
  const name = args[0]!.toLowerCase()
  const events = [
    commandEvent(readable(args[0]!.toUpperCase()), args.length > 1 ? readable(args.slice(1).join(' ')) : ''),
  ]
  server.counters.commands += 1
  if (name === 'quit') return { state: client, events, send: OK, close: 'end' }
  // Redis takes these for a cross-protocol request of a browser, and closes ("SECURITY ATTACK" in its log).
  if (name === 'post' || name === 'host:') return { state: client, events, close: 'discard' }
  const wasSkipping = client.replies === 'skip'
  const reply = runCommand(call, name)
  const isSilent = client.replies === 'off' || client.replies === 'skip' || wasSkipping
  if (wasSkipping && client.replies === 'skip') client.replies = 'on'
  const { waitMs: delayMs } = client
  client.waitMs = undefined
  if (isSilent && reply !== OK) return { state: client, events }
  return { state: client, events, send: encode(reply), ...(delayMs && { delayMs }) }
}

/** Replies are latin1. ASCII may stay a text, which is cheaper to send. */
const encode = (reply: string): string | Buffer =>
  /[^\x00-\x7f]/.test(reply) ? Buffer.from(reply, 'latin1') : reply
