// One connection of a console to PostgreSQL, as the balancer passes it on.
import { connect, type Socket } from 'node:net'

/** Whether the server gets the COMMIT before the connection is cut: surely, surely not, or as it happens. */
export type Cut = 'after the commit' | 'before the commit' | 'meanwhile'

export interface Session {
  readonly client: Socket
  readonly upstream: Socket
}

export interface SessionHooks {
  /** While true, no end is heard of. */
  readonly isSilent: () => boolean
  /** How the COMMIT of a transaction that creates a token is to be cut; undefined passes it on. */
  readonly onCommit: () => Cut | undefined
  /** The server has given the lock of a transaction; the console does not know it yet. */
  readonly onLock: () => void
  readonly onEnd: (session: Session) => void
}

export function openSession(client: Socket, port: number, hooks: SessionHooks): Session {
  const upstream = connect(port, '127.0.0.1')
  const session = { client, upstream }
  let asksForLock = false
  let createsToken = false
  const end = (): void => {
    // A lost packet may be the one that says so.
    if (hooks.isSilent()) return
    hooks.onEnd(session)
    endSession(session)
  }
  upstream.on('error', () => undefined).on('close', end)
  client.on('close', end)
  client.on('data', (bytes: Buffer) => {
    const cut = createsToken && isCommit(bytes) ? hooks.onCommit() : undefined
    if (cut !== undefined) return cutSession(session, bytes, cut)
    asksForLock = takesLock(bytes)
    createsToken = !asksForLock && (createsToken || insertsToken(bytes))
    if (!upstream.destroyed) upstream.write(bytes)
  })
  upstream.on('data', (bytes: Buffer) => {
    if (asksForLock && isInTransaction(bytes)) hooks.onLock()
    if (client.writable) client.write(bytes)
  })
  client.resume()
  return session
}

export function endSession({ client, upstream }: Session): void {
  client.destroy()
  upstream.destroy()
}

function cutSession({ client, upstream }: Session, commit: Buffer, how: Cut): void {
  if (how === 'before the commit') return void client.resetAndDestroy()
  upstream.removeAllListeners('data')
  upstream.write(commit, () => how === 'meanwhile' && client.resetAndDestroy())
  if (how === 'after the commit') upstream.once('data', () => client.resetAndDestroy())
}

// Messages of the protocol (postgresql.org, "Message Formats"): Query is 'Q', its length, the text and NUL; ReadyForQuery is
// 'Z', its length, and the state: 'T' in a transaction.

const QUERY = 0x51
const READY_IN_TRANSACTION = Buffer.from('Z\0\0\0\x05T', 'latin1')

const isQuery = (bytes: Buffer, ending: string): boolean =>
  bytes[0] === QUERY && bytes.toString('latin1').endsWith(`${ending}\0`)

const isCommit = (bytes: Buffer): boolean => isQuery(bytes, 'COMMIT')

const takesLock = (bytes: Buffer): boolean => isQuery(bytes, 'FROM commit_sequence WHERE id = 1 FOR UPDATE')

const insertsToken = (bytes: Buffer): boolean => bytes.includes('INSERT INTO "token" ')

const isInTransaction = (bytes: Buffer): boolean =>
  bytes.subarray(-READY_IN_TRANSACTION.length).equals(READY_IN_TRANSACTION)
