// A Redis that needs no password: every command is an event, and a small keyspace gives plausible answers.
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionRunner, Step } from '../../session.ts'
import { readable } from '../../readable.ts'
import { Refusal, type Call, type Client, type Command, type Server } from './call.ts'
import { canned } from './canned.ts'
import { decode, type Request } from './codec.ts'
import { administration } from './commands/administration.ts'
import { hashes, sets } from './commands/collections.ts'
import { connection, isSubscribed } from './commands/connection.ts'
import { keys } from './commands/keys.ts'
import { lists, zsets } from './commands/lists.ts'
import { strings } from './commands/strings.ts'
import { freshConfig } from './config.ts'
import { startedAt } from './description.ts'
import help from './help.json' with { type: 'json' }
import { Keyspace } from './keyspace.ts'
import { array, failure, nilArray, OK, OOM, QUEUED, status } from './resp.ts'
import { fits, specOf, type Spec } from './specs.ts'

const commands = new Map<string, Command>(
  Object.entries({
    ...connection,
    ...administration,
    ...strings,
    ...hashes,
    ...sets,
    ...lists,
    ...zsets,
    ...keys,
  }),
)
const helpTexts: Readonly<Record<string, readonly string[]>> = help
const MOST_QUEUED_BYTES = 1024 * 1024

/** Sessions with one server: they share its keys, which live as long as the listener and stay below 1 MiB. */
export function redis(): SessionRunner {
  const server: Server = {
    keyspace: new Keyspace(),
    config: freshConfig(),
    counters: { clients: 0, connections: 0, commands: 0, savedAt: 0, dirty: 0 },
  }
  return sessionRunner<Client, Request>({
    limits: { frameBytes: 1024 * 1024, idleMs: 300_000 },
    decode,
    open(context) {
      const { counters } = server
      counters.clients += 1
      counters.connections += 1
      counters.savedAt ||= startedAt({ now: context.now(), context }).at * 1000
      return { state: newClient(counters.connections + 2, context.now()) }
    },
    step(client, request, context) {
      if ('error' in request) {
        const events = [event('(PROTOCOL ERROR)', request.error)]
        return {
          state: client,
          events,
          send: encoded(failure(`ERR Protocol error: ${request.error}`)),
          close: 'end',
        }
      }
      if (request.length === 0) return { state: client }
      return answer({ args: request, server, client, context, now: context.now() })
    },
    closed() {
      server.counters.clients -= 1
      return []
    },
  })
}

const newClient = (id: number, now: number): Client => ({
  id,
  resp: 2,
  db: 0,
  name: '',
  connectedAt: now,
  queue: undefined,
  queuedBytes: 0,
  isDoomed: false,
  replies: 'on',
  channels: new Set(),
  patterns: new Set(),
})

const event = (command: string, rest: string): DecoyEvent => ({
  logtype: '21001',
  fields: { CMD: command, ARGS: rest },
})

function answer(call: Call): Step<Client> {
  const { args, client, server } = call
  const name = args[0]!.toLowerCase()
  const events = [
    event(readable(args[0]!.toUpperCase()), args.length > 1 ? readable(args.slice(1).join(' ')) : ''),
  ]
  server.counters.commands += 1
  if (name === 'quit') return { state: client, events, send: OK, close: 'end' }
  // The server's guard against requests that a browser was tricked into (SECURITY ATTACK in its log).
  if (name === 'post' || name === 'host:') return { state: client, events, close: 'end' }
  const wasSkipping = client.replies === 'skip'
  const text = run(call, name)
  const isSilent = client.replies === 'off' || client.replies === 'skip' || wasSkipping
  if (wasSkipping && client.replies === 'skip') client.replies = 'on'
  return isSilent && text !== OK ? { state: client, events } : { state: client, events, send: encoded(text) }
}

/** Text is sent as UTF-8; what is not ASCII goes out as the bytes it stands for. */
const encoded = (text: string): string | Buffer =>
  /[^\x00-\x7f]/.test(text) ? Buffer.from(text, 'latin1') : text

function run(call: Call, name: string): string {
  const { client } = call
  try {
    const spec = resolve(call, name)
    if (
      isSubscribed(client) &&
      client.resp === 2 &&
      !/^(p|s)?(un)?subscribe$|^(ping|quit|reset)$/.test(name)
    ) {
      const full = spec.name
      return failure(
        `ERR Can't execute '${full}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
      )
    }
    if (client.queue && !/^(exec|discard|multi|watch|reset)$/.test(name)) return enqueue(call)
    return name === 'exec' ? execute(call) : perform(call, spec)
  } catch (refusal) {
    if (refusal instanceof Refusal) return failure(refusal.message)
    throw refusal
  }
}

/** The command that the words name; refuses what the server would refuse before it looks any further. */
function resolve({ args, client }: Call, name: string): Spec {
  const spoil = (message: string): Refusal => {
    if (client.queue) client.isDoomed = true
    return new Refusal(message)
  }
  let spec = specOf(name)
  if (!spec) throw spoil(unknown(args))
  if (spec.hasSubcommands && args.length > 1) {
    const sub = specOf(`${name}|${args[1]!.toLowerCase()}`)
    if (!sub) {
      throw spoil(
        `ERR unknown subcommand '${cText(args[1]!).slice(0, 128)}'. Try ${name.toUpperCase()} HELP.`,
      )
    }
    spec = sub
  }
  const arity = `wrong number of arguments for '${spec.name}' command`
  if (name === 'exec' && args.length > 1) throw spoil(`EXECABORT Transaction discarded because of: ${arity}`)
  if (!fits(spec, args.length)) throw spoil(`ERR ${arity}`)
  return spec
}

/** What a C string shows of it. */
const cText = (text: string): string => text.split('\0', 1)[0]!

function unknown([name = '', ...rest]: readonly string[]): string {
  let shown = ''
  for (const word of rest) {
    if (shown.length >= 128) break
    shown += `'${cText(word).slice(0, 128 - shown.length)}' `
  }
  return `ERR unknown command '${cText(name).slice(0, 128)}', with args beginning with: ${shown}`
}

function perform(call: Call, spec: Spec): string {
  const { client, server } = call
  if (spec.name === 'multi') {
    if (client.queue) throw new Refusal('ERR MULTI calls can not be nested')
    client.queue = []
    client.queuedBytes = 0
    return OK
  }
  if (spec.name === 'discard') {
    if (!client.queue) throw new Refusal('ERR DISCARD without MULTI')
    client.queue = undefined
    client.isDoomed = false
    return OK
  }
  if (spec.name === 'watch' && client.queue) throw new Refusal('ERR WATCH inside MULTI is not allowed')
  if (helpTexts[spec.name]) return array(helpTexts[spec.name]!.map(status))
  if (/^b[lr]pop$/.test(spec.name)) return blockingPop(call)
  const command = commands.get(spec.name)
  if (spec.isGrowing && command) {
    const more = call.args.reduce((sum, word) => sum + word.length, 0)
    if (server.keyspace.isFull(more)) return OOM
    server.keyspace.charge(call.args)
    server.counters.dirty += 1
  }
  if (command) return command(call)
  checkBits(call, spec)
  return canned(spec.name, call.args, client.resp, spec.isGrowing) ?? OOM
}

function enqueue(call: Call): string {
  const { client, args } = call
  client.queuedBytes += args.reduce((sum, word) => sum + word.length + 64, 0)
  if (client.queuedBytes > MOST_QUEUED_BYTES) {
    client.isDoomed = true
    return OOM
  }
  client.queue!.push(args)
  return QUEUED
}

function execute(call: Call): string {
  const { client } = call
  const { queue, isDoomed } = client
  if (!queue) throw new Refusal('ERR EXEC without MULTI')
  client.queue = undefined
  client.isDoomed = false
  if (isDoomed) throw new Refusal('EXECABORT Transaction discarded because of previous errors.')
  const answers: string[] = []
  let total = 0
  for (const args of queue) {
    // An answer that `array` would refuse need not be made whole.
    if (total > 8 * 1024 * 1024) return OOM
    answers.push(run({ ...call, args }, args[0]!.toLowerCase()))
    total += answers.at(-1)!.length
  }
  return array(answers)
}

/** BLPOP and BRPOP never really wait: an empty list stays empty, and its time-out answer is left out. */
function blockingPop(call: Call): string {
  const { args } = call
  const timeout = args.at(-1)!
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(timeout)) throw new Refusal('ERR timeout is not a float or out of range')
  if (Number(timeout) < 0) throw new Refusal('ERR timeout is negative')
  const pop = commands.get(args[0]!.toLowerCase().slice(1))!
  for (const key of args.slice(1, -1)) {
    const item = pop({ ...call, args: ['', key] })
    if (item !== '$-1\r\n' && item !== '_\r\n') return array([`$${key.length}\r\n${key}\r\n`, item])
  }
  return call.client.queue ? nilArray(call.client.resp) : ''
}

function checkBits({ args }: Call, { name }: Spec): void {
  if (/^(getbit|setbit)$/.test(name) && !/^\d{1,10}$/.test(args[2]!)) {
    throw new Refusal('ERR bit offset is not an integer or out of range')
  }
  if (name === 'setbit' && !/^[01]$/.test(args[3]!))
    throw new Refusal('ERR bit is not an integer or out of range')
  if (/^(sintercard|zintercard)$/.test(name) && !/^[1-9]\d{0,8}$/.test(args[1]!)) {
    throw new Refusal('ERR numkeys should be greater than 0')
  }
}
