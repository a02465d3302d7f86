// The server as a master: its replication ids, and what it sends to each replica until the connection ends.
import { beginSave } from './children.ts'
import type { SessionContext, Step } from '../../../../../session/session.ts'
import type { Call, Client, Server } from '../call.ts'
import { rdbFile } from '../rdb/file.ts'
import type { Replication } from './replica.ts'
import { lengthOfBulk } from '../../../protocol/resp.ts'
import { streamedBytes } from './command-stream.ts'
import { lastStart, usedMemory } from './server-process.ts'
import { reserve } from '../work-budget.ts'

/** `repl-diskless-sync-delay`. */
const DELAY_MS = 5_000
const CRON_MS = 1_000
/** A background save ends when a timer of ten times a second sees it. */
const SAVE_MS = { least: 20, spread: 130 }
/** `repl-ping-replica-period`. */
const PING_MS = 10_000
const PING = '*1\r\n$4\r\nping\r\n'
const CLOSE_MS = 100

/** The replication id of the number, 40 hexadecimal digits. */
export function replicationId(context: SessionContext, id: number): string {
  const { at } = lastStart({ now: context.now(), context })
  return context.derive(id === 0 ? `redis/replid/${at}` : `redis/replid/${at}/${id}`, 20).toString('hex')
}

/** Begins a full synchronization; what is sent at once. */
export function startSync({ server, client, now }: Call, isPsync: boolean): string {
  const { replication, keyspace } = server
  const { replica, context } = client
  if (!replication.hasBacklog)
    Object.assign(replication, {
      id: replication.id + 1,
      formerId: undefined,
      formerOffset: -1,
      hasBacklog: true,
      pingedAt: now,
    })
  Object.assign(replica, { isPsync, since: now, phase: replica.takesEof ? 'delayed' : 'saving' })
  replication.fullSyncs += 1
  const savedMs = SAVE_MS.least + (context.random(1)[0]! % SAVE_MS.spread)
  const workMs = reserve({ server, now }, keyspace.bytes)
  client.wakeMs = replica.takesEof ? CRON_MS : Math.ceil(savedMs + workMs)
  if (!replica.takesEof && !server.children.running) beginSave({ server, context, now }, now + client.wakeMs)
  return replica.takesEof ? '' : greeting(replication, client)
}

const greeting = ({ id, offset }: Replication, { replica, context }: Client): string =>
  replica.isPsync ? `+FULLRESYNC ${replicationId(context, id)} ${offset}\r\n` : ''

/** A command has written: replicas would get it, behind a SELECT where the database is another one. */
export function noteWrite({ server: { replication }, client, args }: Call): void {
  if (!replication.hasBacklog) return
  replication.offset += streamedBytes(args, client.db, replication.streamDb)
  replication.streamDb = client.db
}

/** The next that a replica gets. */
export function serveReplica(server: Server, client: Client): Step<Client> {
  const { replication } = server
  const { replica, context } = client
  const now = context.now()
  switch (replica.phase) {
    case 'none':
      return { state: client }
    case 'delayed': {
      if (now - replica.since < DELAY_MS) return { state: client, send: '\n', wakeMs: CRON_MS }
      const mark = context.random(20).toString('hex')
      const keys = `\n${greeting(replication, client)}$EOF:${mark}\r\n${rdb(server, client, now)}${mark}`
      return goOnline(server, client, now, keys)
    }
    case 'saving': {
      const file = rdb(server, client, now)
      return goOnline(server, client, now, lengthOfBulk(file) + file)
    }
    case 'online':
      if (replica.wantsRdbOnly) return { state: client, close: 'end' }
      if (now - replication.pingedAt >= PING_MS) {
        replication.pingedAt = now
        replication.offset += PING.length
      }
      return { state: client, send: PING, wakeMs: PING_MS }
  }
}

function goOnline(server: Server, client: Client, now: number, keys: string): Step<Client> {
  const { replica } = client
  replica.phase = 'online'
  replica.since = now
  // What goes to a replica without a file is no save.
  if (replica.takesEof) {
    server.counters.forks += 1
    server.counters.hasSavedInBackground = true
  }
  const step = { state: client, send: Buffer.from(keys, 'latin1') }
  if (!replica.wantsRdbOnly) return { ...step, wakeMs: PING_MS }
  return replica.takesEof ? { ...step, wakeMs: CLOSE_MS } : { ...step, close: 'end' }
}

function rdb(server: Server, client: Client, now: number): string {
  const { keyspace, config, replication } = server
  const { context, replica } = client
  return rdbFile({ keyspace: replica.wantsFunctionsOnly ? undefined : keyspace, config, now }, [
    ['redis-ver', '7.0.15'],
    ['redis-bits', '64'],
    ['ctime', String(Math.floor(now / 1000))],
    ['used-mem', String(usedMemory({ context, server }))],
    ['repl-stream-db', String(replication.streamDb)],
    ['repl-id', replicationId(context, replication.id)],
    ['repl-offset', String(replication.offset)],
    ['aof-base', '0'],
  ])
}

export interface ListedReplica {
  readonly address: string
  readonly port: number
  readonly state: 'wait_bgsave' | 'online'
  readonly acknowledged: number
  readonly lagSeconds: number
}

/** As INFO and ROLE list them. */
export const replicasOf = ({ clients }: Server, now: number): ListedReplica[] =>
  [...clients].flatMap(({ replica, context }) =>
    replica.phase === 'none'
      ? []
      : [
          {
            address: replica.address || context.src.host,
            port: replica.port,
            state: replica.phase === 'online' ? 'online' : 'wait_bgsave',
            acknowledged: replica.acknowledged,
            lagSeconds:
              replica.phase === 'online'
                ? Math.floor((now - Math.max(replica.since, replica.acknowledgedAt)) / 1000)
                : 0,
          } as const,
        ],
  )
