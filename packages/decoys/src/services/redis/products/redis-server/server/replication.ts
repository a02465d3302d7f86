// The server as a master: each replica gets all keys once, and is pinged from then on, so that a real one stays.
import type { SessionContext, Step } from '../../../../../session/session.ts'
import type { Call, Client, Server } from '../model/call.ts'
import { rdbFile } from '../rdb/file.ts'
import { lengthOfBulk } from '../../../protocol/resp.ts'
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

/** 40 hexadecimal digits, others for each number. */
export function replicationId(context: SessionContext, number: number): string {
  const { at } = lastStart({ now: context.now(), context })
  return context.derive(`redis/replid/${at}/${number}`, 20).toString('hex')
}

/** Begins a full synchronization; what is sent at once. */
export function startSync({ server, client, now }: Call, isPsync: boolean): string {
  const { replica, context } = client
  Object.assign(replica, { isPsync, since: now, phase: replica.takesEof ? 'delayed' : 'saving' })
  const savedMs = SAVE_MS.least + (context.random(1)[0]! % SAVE_MS.spread)
  const workMs = reserve({ server, now }, server.keyspace.bytes)
  client.wakeMs = replica.takesEof ? CRON_MS : Math.ceil(savedMs + workMs)
  return replica.takesEof ? '' : greeting(server, client)
}

const greeting = ({ formerMasters }: Server, { replica, context }: Client): string =>
  replica.isPsync ? `+FULLRESYNC ${replicationId(context, formerMasters)} 0\r\n` : ''

/** The next that a replica gets. */
export function serveReplica(server: Server, client: Client): Step<Client> {
  const { replica, context } = client
  const now = context.now()
  switch (replica.phase) {
    case 'none':
      return { state: client }
    case 'delayed': {
      if (now - replica.since < DELAY_MS) return { state: client, send: '\n', wakeMs: CRON_MS }
      const mark = context.random(20).toString('hex')
      return goOnline(
        client,
        `\n${greeting(server, client)}$EOF:${mark}\r\n${rdb(server, client, now)}${mark}`,
      )
    }
    case 'saving': {
      const file = rdb(server, client, now)
      return goOnline(client, lengthOfBulk(file) + file)
    }
    case 'online':
      return replica.wantsRdbOnly
        ? { state: client, close: 'end' }
        : { state: client, send: PING, wakeMs: PING_MS }
  }
}

function goOnline(client: Client, keys: string): Step<Client> {
  const { replica } = client
  replica.phase = 'online'
  const step = { state: client, send: Buffer.from(keys, 'latin1') }
  if (!replica.wantsRdbOnly) return { ...step, wakeMs: PING_MS }
  return replica.takesEof ? { ...step, wakeMs: CLOSE_MS } : { ...step, close: 'end' }
}

function rdb(server: Server, { context, replica }: Client, now: number): string {
  const { keyspace, config } = server
  return rdbFile({ keyspace: replica.wantsFunctionsOnly ? undefined : keyspace, config, now }, [
    ['redis-ver', '7.0.15'],
    ['redis-bits', '64'],
    ['ctime', String(Math.floor(now / 1000))],
    ['used-mem', String(usedMemory({ context, server }))],
    ['repl-stream-db', '0'],
    ['repl-id', replicationId(context, server.formerMasters)],
    ['repl-offset', '0'],
    ['aof-base', '0'],
  ])
}
