// From a command's words to its reply: look-up, arity, transactions (MULTI … EXEC), memory limit, execution.
import { ErrorReply, type Call, type Command } from './call.ts'
import { findSpec, hasArity, type CommandSpec } from './command-table.ts'
import { administration } from './commands/administration.ts'
import { connection, isSubscribed } from './commands/connection.ts'
import { hashes } from './commands/hashes.ts'
import { keys } from './commands/keys.ts'
import { lists } from './commands/lists.ts'
import { sets } from './commands/sets.ts'
import { sortedSets } from './commands/sorted-sets.ts'
import { strings } from './commands/strings.ts'
import help from './help.json' with { type: 'json' }
import { array, bulk, error, MAX_REPLY_BYTES, nilArray, OK, OOM, QUEUED, status } from './resp.ts'
import { staticReply } from './static-replies.ts'

const commands = new Map<string, Command>(
  Object.entries({
    ...connection,
    ...administration,
    ...strings,
    ...hashes,
    ...sets,
    ...lists,
    ...sortedSets,
    ...keys,
  }),
)
const helpTexts: Readonly<Record<string, readonly string[]>> = help
const MAX_QUEUED_BYTES = 1024 * 1024
const WORD_OVERHEAD_BYTES = 64

/** The encoded reply to one command. `name`: its first word in lower case. */
export function runCommand(call: Call, name: string): string {
  const { client } = call
  try {
    const spec = resolveCommand(call, name)
    if (
      isSubscribed(client) &&
      client.resp === 2 &&
      !/^(p|s)?(un)?subscribe$|^(ping|quit|reset)$/.test(name)
    ) {
      return error(
        `ERR Can't execute '${spec.name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
      )
    }
    if (client.queue && !/^(exec|discard|multi|watch|reset)$/.test(name)) return enqueue(call)
    return name === 'exec' ? executeQueue(call) : execute(call, spec)
  } catch (thrown) {
    if (thrown instanceof ErrorReply) return error(thrown.message)
    throw thrown
  }
}

/** The specification of the named command. Throws what Redis refuses before execution: unknown name, wrong arity. */
function resolveCommand({ args, client }: Call, name: string): CommandSpec {
  const refusal = (message: string): ErrorReply => {
    if (client.queue) client.hasQueueError = true
    return new ErrorReply(message)
  }
  let spec = findSpec(name)
  if (!spec) throw refusal(unknownCommand(args))
  if (spec.hasSubcommands && args.length > 1) {
    const subcommand = findSpec(`${name}|${args[1]!.toLowerCase()}`)
    if (!subcommand) {
      throw refusal(
        `ERR unknown subcommand '${cString(args[1]!).slice(0, 128)}'. Try ${name.toUpperCase()} HELP.`,
      )
    }
    spec = subcommand
  }
  const arity = `wrong number of arguments for '${spec.name}' command`
  if (name === 'exec' && args.length > 1)
    throw refusal(`EXECABORT Transaction discarded because of: ${arity}`)
  if (!hasArity(spec, args.length)) throw refusal(`ERR ${arity}`)
  return spec
}

/** The text up to its first NUL: what C's `%s` prints. */
const cString = (text: string): string => text.split('\0', 1)[0]!

function unknownCommand([name = '', ...rest]: readonly string[]): string {
  let shown = ''
  for (const word of rest) {
    if (shown.length >= 128) break
    shown += `'${cString(word).slice(0, 128 - shown.length)}' `
  }
  return `ERR unknown command '${cString(name).slice(0, 128)}', with args beginning with: ${shown}`
}

function execute(call: Call, spec: CommandSpec): string {
  const transaction = transactionReply(call, spec)
  if (transaction !== undefined) return transaction
  if (helpTexts[spec.name]) return array(helpTexts[spec.name]!.map(status))
  if (/^b[lr]pop$/.test(spec.name)) return blockingPop(call)
  const command = commands.get(spec.name)
  if (spec.mayGrow && command) {
    const { keyspace, counters } = call.server
    if (keyspace.isFull(call.args.reduce((sum, word) => sum + word.length, 0))) return OOM
    keyspace.addBytes(call.args)
    counters.dirty += 1
  }
  if (command) return command(call)
  checkArguments(call, spec)
  return staticReply(spec.name, call.args, call.client.resp, spec.mayGrow) ?? OOM
}

/** MULTI, DISCARD and a WATCH inside a transaction; undefined for any other command. */
function transactionReply({ client }: Call, { name }: CommandSpec): string | undefined {
  if (name === 'multi') {
    if (client.queue) throw new ErrorReply('ERR MULTI calls can not be nested')
    client.queue = []
    client.queuedBytes = 0
    return OK
  }
  if (name === 'discard') {
    if (!client.queue) throw new ErrorReply('ERR DISCARD without MULTI')
    client.queue = undefined
    client.hasQueueError = false
    return OK
  }
  if (name === 'watch' && client.queue) throw new ErrorReply('ERR WATCH inside MULTI is not allowed')
  return undefined
}

function enqueue({ client, args }: Call): string {
  client.queuedBytes += args.reduce((sum, word) => sum + word.length + WORD_OVERHEAD_BYTES, 0)
  if (client.queuedBytes > MAX_QUEUED_BYTES) {
    client.hasQueueError = true
    return OOM
  }
  client.queue!.push(args)
  return QUEUED
}

function executeQueue(call: Call): string {
  const { client } = call
  const { queue, hasQueueError } = client
  if (!queue) throw new ErrorReply('ERR EXEC without MULTI')
  client.queue = undefined
  client.hasQueueError = false
  if (hasQueueError) throw new ErrorReply('EXECABORT Transaction discarded because of previous errors.')
  const replies: string[] = []
  let total = 0
  for (const args of queue) {
    // `array` would refuse the whole reply: do not build the rest of it.
    if (total > MAX_REPLY_BYTES) return OOM
    const reply = runCommand({ ...call, args }, args[0]!.toLowerCase())
    replies.push(reply)
    total += reply.length
  }
  return array(replies)
}

/** BLPOP and BRPOP do not wait: if every list is empty there is no reply, not even when the time is over. */
function blockingPop(call: Call): string {
  const { args } = call
  const timeout = args.at(-1)!
  if (!/^-?(\d+\.?\d*|\.\d+)$/.test(timeout))
    throw new ErrorReply('ERR timeout is not a float or out of range')
  if (Number(timeout) < 0) throw new ErrorReply('ERR timeout is negative')
  const pop = commands.get(args[0]!.toLowerCase().slice(1))!
  for (const key of args.slice(1, -1)) {
    const item = pop({ ...call, args: ['', key] })
    if (item !== '$-1\r\n' && item !== '_\r\n') return array([bulk(key), item])
  }
  return call.client.queue ? nilArray(call.client.resp) : ''
}

/** Argument errors of commands that have only a static reply. */
function checkArguments({ args }: Call, { name }: CommandSpec): void {
  if (/^(getbit|setbit)$/.test(name) && !/^\d{1,10}$/.test(args[2]!)) {
    throw new ErrorReply('ERR bit offset is not an integer or out of range')
  }
  if (name === 'setbit' && !/^[01]$/.test(args[3]!))
    throw new ErrorReply('ERR bit is not an integer or out of range')
  if (/^(sintercard|zintercard)$/.test(name) && !/^[1-9]\d{0,8}$/.test(args[1]!)) {
    throw new ErrorReply('ERR numkeys should be greater than 0')
  }
}
