// From a command's words to its reply: look-up, arity, transactions (MULTI … EXEC), memory limit, execution.
import { CountedErrorReply, countError } from './server/error-counts.ts'
import { lookAtChildren } from './server/children.ts'
import { isOutOfMemory, OUT_OF_MEMORY } from './server/memory-limit.ts'
import { denialText, noteDenial, permissionError } from './access/permissions.ts'
import { cString, ErrorReply } from './arguments.ts'
import type { Call, Client, Command } from './model/call.ts'
import type { CallCount } from './model/server.ts'
import { noteForBlocked } from './clients/blocked.ts'
import { findCommand, hasArity, lookUp, type CommandSpec } from './command-table/table.ts'
import { administration } from './commands/administration.ts'
import { acl } from './commands/acl.ts'
import { clientCommands } from './commands/client.ts'
import { commandCommands } from './commands/command.ts'
import { dump } from './commands/dump.ts'
import { connection } from './commands/connection.ts'
import { functions } from './commands/functions.ts'
import { hashes } from './commands/hashes.ts'
import { bits } from './commands/bits.ts'
import { blocking } from './commands/blocking.ts'
import { geo } from './commands/geo.ts'
import { hyperloglogs } from './commands/hyperloglogs.ts'
import { keys } from './commands/keys.ts'
import { lists } from './commands/lists.ts'
import { isSubscribed, pubsub } from './commands/pubsub.ts'
import { replicationCommands } from './commands/replication.ts'
import { scripts } from './commands/scripts.ts'
import { sets } from './commands/sets.ts'
import { migrate } from './commands/migrate.ts'
import { memory } from './commands/memory.ts'
import { noteSlow, slowlog } from './commands/slowlog.ts'
import { sorting } from './commands/sort.ts'
import { sortedSets } from './commands/sorted-sets.ts'
import { streamGroups } from './commands/stream-groups.ts'
import { streamInfos } from './commands/stream-info.ts'
import { streams } from './commands/streams.ts'
import { strings } from './commands/strings.ts'
import { endTransaction, transactions } from './commands/transactions.ts'
import help from './command-table/help.json' with { type: 'json' }
import { feedMonitors } from './clients/monitor.ts'
import { array, error, OOM, QUEUED, status, OK } from '../../protocol/resp.ts'
import { hasStaticReply, staticReply } from './static-replies.ts'

const commands = new Map<string, Command>(
  Object.entries({
    ...connection,
    ...pubsub,
    ...clientCommands,
    ...administration,
    ...replicationCommands,
    ...acl,
    ...commandCommands,
    ...strings,
    ...functions,
    ...migrate,
    ...hashes,
    ...sets,
    ...lists,
    ...sortedSets,
    ...keys,
    ...dump,
    ...bits,
    ...geo,
    ...hyperloglogs,
    ...sorting,
    ...memory,
    ...slowlog,
    ...streams,
    ...streamGroups,
    ...streamInfos,
    ...blocking,
    ...transactions(runCommand),
    ...scripts(runInScript),
  }),
)
const helpTexts: Readonly<Record<string, readonly string[]>> = help

/** Whether the command has a reply of its own, and not only one that an empty or a full server would give. */
export const isServed = ({ name, enabledBy }: CommandSpec): boolean =>
  commands.has(name) || helpTexts[name] !== undefined || hasStaticReply(name) || enabledBy !== undefined

/** Of a small command, without its words. */
const COMMAND_WORK = 30
const MAX_QUEUED_BYTES = 1024 * 1024
const WORD_OVERHEAD_BYTES = 64

/** The encoded reply to one command. */
export function runCommand(call: Call): string {
  const { client } = call
  try {
    const spec = resolveCommand(call)
    checkState(call, spec)
    if (client.queue && !RUN_WHILE_QUEUING.test(spec.name)) return enqueue(call)
    return execute(call, spec)
  } catch (thrown) {
    if (!(thrown instanceof ErrorReply)) throw thrown
    if (!(thrown instanceof CountedErrorReply)) countError(call, thrown.message)
    if (thrown instanceof Refusal) return refuse(call, thrown)
    return error(thrown.message)
  }
}

const RUN_WHILE_QUEUING = /^(exec|discard|multi|watch|reset)$/
/** Thrown before a command is executed or queued: it spoils the transaction that is being queued. */
class Refusal extends ErrorReply {}

function refuse(call: Call, { message }: Refusal): string {
  const { client, args } = call
  const spec = lookUp(args)
  if (spec) countCall(call, spec, 'rejected')
  if (findCommand(args[0]!)?.name === 'exec') {
    endTransaction(client)
    return error(`EXECABORT Transaction discarded because of: ${message.replace(/^ERR /, '')}`)
  }
  if (client.queue) client.hasQueueError = true
  return error(message)
}

/** The specification of the named command. */
function resolveCommand({ args }: Call): CommandSpec {
  const spec = lookUp(args)
  if (!spec) throw new Refusal(findCommand(args[0]!) ? unknownSubcommand(args) : unknownCommand(args))
  if (!hasArity(spec, args.length))
    throw new Refusal(`ERR wrong number of arguments for '${spec.name}' command`)
  return spec
}

/** What the state of the server or the connection forbids, in the order in which Redis asks. */
function checkState(call: Call, spec: CommandSpec): void {
  const { client, server } = call
  if (spec.enabledBy) throw new Refusal(notEnabled(spec.enabledBy))
  if (!client.isAuthenticated && !spec.flags.has('no_auth')) throw new Refusal(NO_AUTH)
  if (client.queue && spec.flags.has('no_multi'))
    throw new Refusal('ERR Command not allowed inside a transaction')
  const denied = permissionError(client.user, spec, call.args, call.work.spend)
  if (denied) {
    noteDenial(call, denied)
    throw new Refusal(denialText(denied))
  }
  if (isOutOfMemory(call) && (hasFlag(client, spec, 'denyoom') || isQueuing(client, spec)))
    throw new Refusal(OUT_OF_MEMORY)
  if (server.master && server.config.get('replica-read-only') === 'yes' && hasFlag(client, spec, 'write'))
    throw new Refusal("READONLY You can't write against a read only replica.")
  if (server.monitors.has(client) && (spec.flags.has('write') || spec.flags.has('readonly')))
    throw new Refusal("ERR Replica can't interact with the keyspace")
  if (client.resp === 2 && isSubscribed(client) && !WHILE_SUBSCRIBED.test(spec.name)) {
    throw new Refusal(
      `ERR Can't execute '${spec.name}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
    )
  }
}

/** EXEC has the flags of what is queued. */
const hasFlag = ({ queue = [] }: Client, spec: CommandSpec, flag: string): boolean =>
  spec.flags.has(flag) || (spec.name === 'exec' && queue.some((words) => lookUp(words)?.flags.has(flag)))

const isQueuing = ({ queue }: Client, { name }: CommandSpec): boolean =>
  queue !== undefined && !/^(exec|discard|reset)$/.test(name)

const NO_AUTH = 'NOAUTH Authentication required.'
const WHILE_SUBSCRIBED = /^((p|s)?(un)?subscribe|ping|quit|reset)$/
/** Refused before Redis asks for a password. */
const notEnabled = (name: string): string =>
  `ERR ${name.toUpperCase()} command not allowed. If the enable-${name}-command option is set to "local", you can run it from a local connection, otherwise you need to set this option in the configuration file, and then restart the server.`

const unknownSubcommand = ([name = '', child = '']: readonly string[]): string =>
  `ERR unknown subcommand '${cString(child).slice(0, 128)}'. Try ${name.toUpperCase()} HELP.`

function unknownCommand([name = '', ...rest]: readonly string[]): string {
  let shown = ''
  for (const word of rest) {
    if (shown.length >= 128) break
    shown += `'${cString(word).slice(0, 128 - shown.length)}' `
  }
  return `ERR unknown command '${cString(name).slice(0, 128)}', with args beginning with: ${shown}`
}

function execute(call: Call, spec: CommandSpec): string {
  call.work.spend(COMMAND_WORK + call.args.length)
  if (helpTexts[spec.name]) return array(helpTexts[spec.name]!.map(status))
  const command = commands.get(spec.name)
  if (spec.mayGrow && command) {
    const { keyspace } = call.server
    if (keyspace.isFull(call.args.reduce((sum, word) => sum + word.length, 0))) return OOM
    keyspace.addBytes(call.args)
  }
  if (command) {
    const reply = counted(call, spec, () => watchedByMonitors(call, spec, command))
    if (call.client.blocked) call.client.blocked = { ...call.client.blocked, command }
    noteChanges(call, spec, reply)
    if (spec.flags.has('write')) noteForBlocked(call)
    noteSlow(call)
    return reply
  }
  return counted(call, spec, () => {
    const reply = staticReply(spec.name, call.args, call.client.resp, spec.mayGrow) ?? OOM
    if (reply.startsWith('-')) throw new ErrorReply(reply.slice(1, -2))
    return reply
  })
}

/** They write, but look up as one that reads. */
const READS_SOURCES = new Set(
  `getex getdel getset bitop copy sort pfmerge sinterstore sunionstore sdiffstore zinterstore zunionstore zdiffstore
  zrangestore geosearchstore georadius georadiusbymember xclaim xautoclaim xreadgroup xack migrate`.split(
    /\s+/,
  ),
)

function noteChanges(call: Call, spec: CommandSpec, reply: string): void {
  const { server } = call
  const isChange = spec.flags.has('write') && hasChanged(call, spec, reply)
  server.counters.dirty += server.changes ?? (isChange ? changesOf(call, spec, reply) : 0)
}

/** What nothing came of changes nothing, but for those that answer so to a change, too. */
const hasChanged = ({ args, now }: Call, { name }: CommandSpec, reply: string): boolean =>
  (!NOTHING.has(reply) || CHANGES_SILENTLY.has(name)) && !(name === 'restore' && isLongOver(args, now))

/** RESTORE of what has expired at an absolute time. */
const isLongOver = ([, , ttl, , ...options]: readonly string[], now: number): boolean =>
  Number(ttl) > 0 && Number(ttl) <= now && options.some((word) => word.toUpperCase() === 'ABSTTL')

/** What INFO counts as changes: each element, field or key, where one command may name several. */
function changesOf({ args }: Call, { name }: CommandSpec, reply: string): number {
  if (/^[lr]pushx?$/.test(name)) return args.length - 2
  if (/^hm?set$/.test(name)) return (args.length - 2) / 2
  if (/^mset(nx)?$/.test(name)) return (args.length - 1) / 2
  return COUNTS.has(name) ? Math.max(1, Number(/^:(\d+)\r\n$/.exec(reply)?.[1] ?? 1)) : 1
}

/** They reply how many they added or removed. */
const COUNTS = new Set(
  `sadd srem zrem zremrangebyscore zremrangebyrank zremrangebylex hdel del unlink lrem xdel xtrim`.split(' '),
)
/** Without a reply, it waits. */
const NOTHING = new Set(['', '+NOKEY\r\n', ':0\r\n', '*0\r\n', '$-1\r\n', '*-1\r\n', '_\r\n'])
const CHANGES_SILENTLY = new Set('hset getset set incr decr incrby decrby hincrby append'.split(' '))

/** The session itself answers QUIT. */
export const countQuit = (call: Call, spec: CommandSpec): string => counted(call, spec, () => OK)

/** A command counts once it has run: INFO does not show itself. */
function counted(call: Call, spec: CommandSpec, run: () => string): string {
  const { server } = call
  lookAtChildren(call)
  server.changes = undefined
  server.weighs = !spec.flags.has('fast')
  server.isReading = spec.flags.has('readonly') || READS_SOURCES.has(spec.name)
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof ErrorReply) countCall(call, spec, 'failed')
    throw thrown
  } finally {
    server.isReading = false
    countCall(call, spec, 'run')
    if (call.client.blocked) countCall(call, spec, 'waited')
    server.counters.commands += 1
  }
}

function countCall({ server: { calls } }: Call, { name }: CommandSpec, how: keyof CallCount): void {
  const count = calls.get(name) ?? { run: 0, waited: 0, rejected: 0, failed: 0 }
  count[how] += 1
  calls.set(name, count)
}

/** A script stands before the commands that it calls; EXEC stands behind them. */
function watchedByMonitors(call: Call, spec: CommandSpec, command: Command): string {
  if (call.server.monitors.size === 0) return command(call)
  const isScript = /^(eval|evalsha)(_ro)?$/.test(spec.name)
  if (isScript) feedMonitors(call, spec)
  try {
    return command(call)
  } finally {
    if (!isScript) feedMonitors(call, spec)
  }
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

/** A command inside a script: RESP2, at once, and some are not allowed. */
function runInScript(call: Call, words: readonly string[], isReadOnly: boolean): string {
  const { client } = call
  const spec = lookUp(words)
  const refusal = scriptRefusal(spec, words.length, isReadOnly)
  if (refusal !== undefined) {
    countError(call, refusal)
    return error(refusal)
  }
  const { resp, isInTransaction, queue } = client
  Object.assign(client, { resp: 2, isInTransaction: true, isInScript: true, queue: undefined })
  try {
    return runCommand({ ...call, args: words })
  } finally {
    Object.assign(client, { resp, isInTransaction, isInScript: false, queue })
  }
}

function scriptRefusal(
  spec: CommandSpec | undefined,
  words: number,
  isReadOnly: boolean,
): string | undefined {
  if (!spec) return 'ERR Unknown Redis command called from script'
  if (!hasArity(spec, words)) return 'ERR Wrong number of args calling Redis command from script'
  if (spec.flags.has('noscript')) return 'ERR This Redis command is not allowed from script'
  if (isReadOnly && spec.flags.has('write'))
    return 'ERR Write commands are not allowed from read-only scripts.'
  return undefined
}
