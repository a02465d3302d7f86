// Commands that wait: for an element that another connection pushes, for replicas, or for their time-out.
import { ErrorReply } from '../arguments.ts'
import { peek } from '../values/find.ts'
import type { Call, Client, Command, Server } from '../model/call.ts'
import { sendTo } from './outbox.ts'
import { error } from '../../../protocol/resp.ts'

/** Answers `timeoutReply` at once within a transaction or a script; else the connection waits. 0: without end. */
export function block(
  { client, now, args: sent }: Call,
  { ms, timeoutReply, args = sent }: { ms: number; timeoutReply: string; args?: readonly string[] },
): string {
  if (client.isInTransaction) return timeoutReply
  client.blocked = { args, timeoutReply, command: undefined, until: ms === 0 ? undefined : now + ms }
  return ''
}

const NAMES_NO_KEY = /^(flushall|flushdb|swapdb)$/i

/** A command that writes: only one that names what is waited for makes the others try again. */
export function noteForBlocked({ server, args }: Call): void {
  const { waiting, waitedWords } = server
  if (waiting.size === 0) waitedWords.clear()
  else if (NAMES_NO_KEY.test(args[0]!) || args.some((word) => waitedWords.has(word))) server.hasWritten = true
}

/** Behind a command that wrote: those who waited longest are served first. */
export function serveBlocked(server: Server, { now, work }: Pick<Call, 'now' | 'work'>): void {
  for (let isServed = server.hasWritten && server.waiting.size > 0; isServed;) {
    isServed = false
    for (const client of server.waiting) if (tryAgain(server, client, { now, work })) isServed = true
  }
  server.hasWritten = false
}

function tryAgain(server: Server, client: Client, { now, work }: Pick<Call, 'now' | 'work'>): boolean {
  const { blocked, context } = client
  if (!blocked?.command) return false
  client.blocked = undefined
  server.changes = undefined
  const reply = replyOf(blocked.command, { args: blocked.args, server, client, context, now, work })
  if (client.blocked || reply === undefined) {
    client.blocked = blocked
    return false
  }
  // Redis does not count what these take, unlike the others.
  if (!/^b[lr]pop$/i.test(blocked.args[0]!)) server.counters.dirty += server.changes ?? 0
  unblock(server, client, reply)
  return true
}

const isMove = ({ args }: Call): boolean => /^(blmove|brpoplpush)$/i.test(args[0]!)

/** A key of a wrong type does not end the wait, but the target of a move does. */
function replyOf(command: Command, call: Call): string | undefined {
  try {
    return command(call)
  } catch (thrown) {
    if (!(thrown instanceof ErrorReply)) throw thrown
    return isMove(call) && peek(call, call.args[1]!)?.type === 'list' ? error(thrown.message) : undefined
  }
}

export function unblock(server: Server, client: Client, reply: string): void {
  client.blocked = undefined
  server.waiting.delete(client)
  if (client.replies === 'on') sendTo(server, client, reply)
  else client.context.wakeSoon?.()
}

/** Behind the commands of each turn of the event loop, also where nothing but bytes came. */
export function endDueWaits(server: Server, now: number): void {
  for (const client of server.waiting) {
    const { until, timeoutReply } = client.blocked ?? {}
    if (until !== undefined && until <= now) unblock(server, client, timeoutReply!)
  }
}
