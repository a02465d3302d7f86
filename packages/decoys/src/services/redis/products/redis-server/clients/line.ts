// One line of CLIENT LIST (client(7.0) lists the fields).
import type { Client } from '../model/call.ts'
import { lookUp } from '../command-table/table.ts'
import { isSubscribed } from '../commands/pubsub.ts'

/** What Redis 7.0 counts for a connection besides its arguments. */
const BASE_BYTES = 37_648
const QUERY_BUFFER_BYTES = 20_474

export function clientLine(client: Client, now: number, monitors: ReadonlySet<Client>): string {
  const { context, channels, patterns, queue, tracking } = client
  const seconds = (since: number): number => Math.floor((now - since) / 1000)
  const { src, dst } = context
  const words = client.lastWords
  const argumentBytes = words.reduce((sum, word) => sum + word.length, 0)
  const used = words.reduce(
    (sum, { length }) => sum + length + `$${length}`.length + 4,
    `*${words.length}`.length + 2,
  )
  return (
    `id=${client.id} addr=${src.host}:${src.port} laddr=${dst.host}:${dst.port} fd=${7 + (client.id % 200)} ` +
    `name=${client.name} age=${seconds(client.connectedAt)} idle=${seconds(client.lastAt)} flags=${flagsOf(client, monitors.has(client))} ` +
    `db=${client.db} sub=${channels.size} psub=${patterns.size} ssub=${client.shardChannels.size} multi=${queue ? queue.length : -1} ` +
    `qbuf=${used} qbuf-free=${Math.max(0, QUERY_BUFFER_BYTES - used)} argv-mem=${argumentBytes} multi-mem=0 ` +
    `rbs=16384 rbp=16384 obl=0 oll=0 omem=0 tot-mem=${BASE_BYTES + argumentBytes} events=r ` +
    `cmd=${commandOf(words)} user=${client.user.name} redir=${tracking ? tracking.redirect : -1} resp=${client.resp}`
  )
}

function flagsOf(client: Client, isMonitor: boolean): string {
  const { queue, tracking, hasQueueError, replica, blocked } = client
  const flags = [
    isMonitor ? 'O' : replica.phase === 'none' ? '' : 'S',
    isSubscribed(client) ? 'P' : '',
    queue ? 'x' : '',
    blocked ? 'b' : '',
    hasQueueError ? 'd' : '',
    tracking ? 't' : '',
    tracking?.modes.has('bcast') ? 'B' : '',
  ].join('')
  return flags || 'N'
}

function commandOf([name = '', child]: readonly string[]): string {
  const spec = lookUp(child === undefined ? [name] : [name, child])
  return spec?.name ?? 'NULL'
}
