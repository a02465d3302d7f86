// MULTI, EXEC, DISCARD, WATCH: commands that are queued, and executed together unless a watched key has changed.
import { ErrorReply } from '../arguments.ts'
import type { Call, Client, Command } from '../model/call.ts'
import { array, MAX_REPLY_BYTES, nilArray, OK, OOM } from '../../../protocol/resp.ts'
import { hasChanged, watch } from '../clients/watch.ts'

export function endTransaction(client: Client): void {
  client.queue = undefined
  client.hasQueueError = false
  client.watched = []
}

/** Runs one command of the transaction. */
export type RunQueued = (call: Call, name: string) => string

export const transactions = (run: RunQueued): Record<string, Command> => ({
  multi({ client }) {
    if (client.queue) throw new ErrorReply('ERR MULTI calls can not be nested')
    client.queue = []
    client.queuedBytes = 0
    return OK
  },
  discard({ client }) {
    if (!client.queue) throw new ErrorReply('ERR DISCARD without MULTI')
    endTransaction(client)
    return OK
  },
  watch(call) {
    if (call.client.queue) throw new ErrorReply('ERR WATCH inside MULTI is not allowed')
    watch(call, call.args.slice(1))
    return OK
  },
  unwatch({ client }) {
    client.watched = []
    return OK
  },
  exec(call) {
    const { client } = call
    const { queue, hasQueueError } = client
    if (!queue) throw new ErrorReply('ERR EXEC without MULTI')
    const isStale = hasChanged(call)
    endTransaction(client)
    if (hasQueueError) throw new ErrorReply('EXECABORT Transaction discarded because of previous errors.')
    if (isStale) return nilArray(client.resp)
    client.isInTransaction = true
    try {
      return executeAll(call, queue, run)
    } finally {
      client.isInTransaction = false
    }
  },
})

function executeAll(call: Call, queue: readonly (readonly string[])[], run: RunQueued): string {
  const replies: string[] = []
  let total = 0
  for (const args of queue) {
    // `array` would refuse the whole reply: do not build the rest of it.
    if (total > MAX_REPLY_BYTES) return OOM
    const reply = run({ ...call, args }, args[0]!.toLowerCase())
    replies.push(reply)
    total += reply.length
  }
  return array(replies)
}
