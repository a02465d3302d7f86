// A proxy before PostgreSQL that the test can shut, silence, or let cut a connection in COMMIT.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freshDatabase } from './test-console.ts'

/** Whether the server gets the COMMIT before the connection is cut: surely, surely not, or as it happens. */
export type Cut = 'after the commit' | 'before the commit' | 'meanwhile'

export interface PostgresProxy {
  /** A fresh database, by way of the proxy. */
  readonly url: string
  /** The same database, past the proxy. */
  readonly directUrl: string
  /** Breaks every connection, and refuses new ones. */
  shut(): void
  open(): void
  /** Keeps every connection, and passes nothing on. */
  hang(): void
  /** Cuts the connection of the next COMMIT. */
  cutNextCommit(how: Cut): void
  /** Keeps the next COMMIT from the server, or the answer from the client that sent it; resolves once that is so. */
  holdNextCommit(from: 'server' | 'client'): Promise<void>
  /** How many it has cut. */
  cuts(): number
}

export async function openProxy(): Promise<PostgresProxy> {
  const target = new URL(await freshDatabase())
  const sockets = new Set<Socket>()
  let state: 'open' | 'shut' | 'hanging' = 'open'
  let next: Cut | undefined
  let held: { readonly from: 'server' | 'client'; readonly holds: () => void } | undefined
  let cuts = 0

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined).on('close', () => sockets.delete(client))
    if (state === 'shut') return void client.destroy()
    const upstream = connect(Number(target.port), '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => client.destroy()).on('close', () => sockets.delete(upstream))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.on('data', (bytes: Buffer) => {
      if (state === 'hanging') return
      if (next !== undefined && isCommit(bytes)) {
        cut(client, upstream, bytes, next)
        next = undefined
        return
      }
      if (held !== undefined && isCommit(bytes)) {
        hold(upstream, bytes, held)
        held = undefined
        return
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => state !== 'hanging' && client.writable && client.write(bytes))
  })

  function cut(client: Socket, upstream: Socket, bytes: Buffer, how: Cut): void {
    cuts++
    if (how === 'before the commit') return void client.resetAndDestroy()
    upstream.removeAllListeners('data')
    upstream.write(bytes, () => how === 'meanwhile' && client.resetAndDestroy())
    if (how === 'after the commit') upstream.once('data', () => client.resetAndDestroy())
  }

  function hold(upstream: Socket, bytes: Buffer, { from, holds }: NonNullable<typeof held>): void {
    if (from === 'server') return holds()
    upstream.removeAllListeners('data')
    upstream.once('data', holds)
    upstream.write(bytes)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    directUrl: target.href,
    shut() {
      state = 'shut'
      for (const socket of sockets) socket.resetAndDestroy()
    },
    open: () => void (state = 'open'),
    hang: () => void (state = 'hanging'),
    cutNextCommit: (how) => void (next = how),
    holdNextCommit: (from) => new Promise((holds) => (held = { from, holds })),
    cuts: () => cuts,
  }
}

/** A message `Query` whose last statement is COMMIT (postgresql.org, "Message Formats"). */
const isCommit = (bytes: Buffer): boolean =>
  bytes[0] === 0x51 && bytes.toString('latin1').endsWith('COMMIT\0')
