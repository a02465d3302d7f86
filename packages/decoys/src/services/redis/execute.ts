// From a command's words to its reply: look-up, arity, transactions (MULTI … EXEC), memory limit, execution.
import { ErrorReply, type Call, type Command } from './call.ts'
import { findSpec, hasArity, type CommandSpec } from './command-table.ts'
import { administration } from './commands/administration.ts'
import { connection, isSubscribed } from './commands/connection.ts'
import { hashes } from './commands/hashes.ts'
import { bits } from './commands/bits.ts'
import { blocking } from './commands/blocking.ts'
import { hyperloglogs } from './commands/hyperloglogs.ts'
import { keys } from './commands/keys.ts'
import { lists } from './commands/lists.ts'
import { scripts } from './commands/scripts.ts'
import { sets } from './commands/sets.ts'
import { sorting } from './commands/sort.ts'
import { sortedSets } from './commands/sorted-sets.ts'
import { streams } from './commands/streams.ts'
import { strings } from './commands/strings.ts'
import help from './help.json' with { type: 'json' }
import { array, error, MAX_REPLY_BYTES, OK, OOM, QUEUED, status } from './resp.ts'
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
    ...bits,
    ...hyperloglogs,
    ...sorting,
    ...streams,
    ...blocking,
    ...scripts(runInScript),
  }),
)
const helpTexts: Readonly<Record<string, readonly string[]>> = help
/** Refused by Redis before it asks for a password. */
const isForbidden = ({ name }: CommandSpec): boolean => /^(debug|module\|(load|loadex|unload))$/.test(name)
const NO_AUTH = error('NOAUTH Authentication required.')
const READ_ONLY = error("READONLY You can't write against a read only replica.")
const MAX_QUEUED_BYTES = 1024 * 1024
const WORD_OVERHEAD_BYTES = 64

/** The encoded reply to one command. `name`: its first word in lower case. */
export function runCommand(call: Call, name: string): string {
  const { client } = call
  try {
    const spec = resolveCommand(call, name)
    if (!client.isAuthenticated && !spec.flags.includes('no_auth') && !isForbidden(spec)) return NO_AUTH
    if (call.server.master && spec.flags.includes('write')) return READ_ONLY
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
  client.isInTransaction = true
  try {
    return executeAll(call, queue)
  } finally {
    client.isInTransaction = false
  }
}

function executeAll(call: Call, queue: readonly (readonly string[])[]): string {
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

/** A command inside a script: RESP2, at once, and some are not allowed. */
function runInScript(call: Call, words: readonly string[]): string {
  const { client } = call
  const name = words[0]?.toLowerCase() ?? ''
  if (findSpec(name)?.flags.includes('noscript'))
    return error('ERR This Redis command is not allowed from script')
  if (!findSpec(name)) return error('ERR Unknown Redis command called from script')
  const { resp, isInTransaction } = client
  Object.assign(client, { resp: 2, isInTransaction: true })
  try {
    return runCommand({ ...call, args: words }, name)
  } finally {
    Object.assign(client, { resp, isInTransaction })
  }
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
