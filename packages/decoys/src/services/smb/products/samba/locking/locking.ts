// What all connections of a listener share of open files: who has which one open, with which oplock, lease and locks.
import { limit } from '@rookery/kernel/limit.ts'
import type { SessionContext } from '../../../../../session/session.ts'
import { type FileId } from '../../../protocol/codec/file-id.ts'

/** Opens that others can notice. Those beyond are granted no oplock, exclude nobody, and hold nothing up. */
const OPENS = limit('smb_decoy_shared_opens', 1_024)
/** Requests that wait for files. Those beyond do not wait: they are refused. */
const WAITING = limit('smb_decoy_waiting_requests', 64)

export interface Lock {
  readonly offset: bigint
  readonly length: bigint
  readonly isExclusive: boolean
}

/** One that requests come by. */
export interface Connection {
  readonly context: SessionContext
  /** GUID of its client in hex: connections of one client have their leases in common. */
  client: string | undefined
  /** Its dialect has leases. */
  hasLeases: boolean
  /** Frames that nobody asked for: breaks. */
  outbox: Buffer[]
  /** Something that its requests wait for has changed. */
  isDue: boolean
  readonly opens: Set<SharedOpen>
  readonly waitsFor: Set<SharedFile>
}

export interface SharedFile {
  readonly id: bigint
  /** The newest first: in this order Samba goes through them. */
  opens: readonly SharedOpen[]
  /** How many requests wait for a change, by their connections, in the order in which they came. */
  readonly waiting: Map<Connection, number>
}

export interface SharedOpen {
  readonly file: SharedFile
  readonly connection: Connection
  readonly sessionId: bigint
  /** 16 bytes. */
  readonly id: FileId
  readonly access: number
  readonly share: number
  /** One of `OPLOCK`. */
  oplock: number
  /** When a break of the oplock that was sent is over, in milliseconds UTC; undefined when none was. */
  breaksUntil: number | undefined
  readonly lease: Lease | undefined
  locks: readonly Lock[]
}

/** Of one client on one file, whatever the number of its opens. */
export interface Lease {
  readonly client: string
  /** In hex. */
  readonly key: string
  readonly file: SharedFile
  readonly version: 1 | 2
  /** Bits of `CACHING`. */
  state: number
  epoch: number
  /** A break that was sent: to what the client was asked to go down, what is needed by now, and when its time is up. */
  break: { requested: number; required: number; readonly until: number } | undefined
}

export interface SharedFiles {
  readonly files: Map<bigint, SharedFile>
  readonly leases: Map<string, Lease>
  /** By GUID, the oldest connection first. */
  readonly clients: Map<string, readonly Connection[]>
  opens: number
  waiting: number
}

export const OPLOCK = { none: 0, shared: 1, exclusive: 8, batch: 9, lease: 0xff } as const
export const CACHING = { read: 1, handle: 2, write: 4 } as const

export const newSharedFiles = (): SharedFiles => ({
  files: new Map(),
  leases: new Map(),
  clients: new Map(),
  opens: 0,
  waiting: 0,
})

export const newConnection = (context: SessionContext): Connection => ({
  context,
  client: undefined,
  hasLeases: false,
  outbox: [],
  isDue: false,
  opens: new Set(),
  waitsFor: new Set(),
})

/** From now on it shares the leases of its client, if its dialect has any. */
export function joinClient(
  { clients }: SharedFiles,
  connection: Connection,
  guid: Buffer,
  hasLeases: boolean,
): void {
  const client = guid.toString('hex')
  connection.client = client
  connection.hasLeases = hasLeases
  if (!hasLeases) return
  clients.set(client, [...(clients.get(client) ?? []), connection])
}

/** The file's entry, which is kept once somebody has it open or waits for it. */
export const fileOf = ({ files }: SharedFiles, id: bigint): SharedFile =>
  files.get(id) ?? { id, opens: [], waiting: new Map() }

export const leaseId = (client: string, key: string): string => `${client} ${key}`

/** Whether another open would be shared. */
export function hasRoom({ opens }: SharedFiles): boolean {
  if (opens < OPENS.max) return true
  OPENS.hit()
  return false
}

export function addOpen(locking: SharedFiles, open: SharedOpen): void {
  const { file, connection, lease } = open
  locking.files.set(file.id, file)
  file.opens = [open, ...file.opens]
  connection.opens.add(open)
  if (lease) locking.leases.set(leaseId(lease.client, lease.key), lease)
  locking.opens += 1
  notify(locking, file)
}

/** Closes it. Of one that was not shared, nobody knows. */
export function removeOpen(locking: SharedFiles, open: SharedOpen): void {
  const { file, connection, lease } = open
  if (!connection.opens.delete(open)) return
  file.opens = file.opens.filter((each) => each !== open)
  if (lease && !file.opens.some((each) => each.lease === lease))
    locking.leases.delete(leaseId(lease.client, lease.key))
  locking.opens -= 1
  notify(locking, file)
  forget(locking, file)
}

const forget = ({ files }: SharedFiles, file: SharedFile): void => {
  if (file.opens.length === 0 && file.waiting.size === 0 && files.get(file.id) === file) files.delete(file.id)
}

/** Notes that a request of the connection waits for the file; false when too many wait. */
export function waitForFile(locking: SharedFiles, file: SharedFile, connection: Connection): boolean {
  if (locking.waiting >= WAITING.max) {
    WAITING.hit()
    return false
  }
  if (!locking.files.has(file.id)) locking.files.set(file.id, file)
  setWaiting(locking, file, connection, (file.waiting.get(connection) ?? 0) + 1)
  return true
}

function setWaiting(locking: SharedFiles, file: SharedFile, connection: Connection, count: number): void {
  locking.waiting += count - (file.waiting.get(connection) ?? 0)
  if (count > 0) {
    file.waiting.set(connection, count)
    connection.waitsFor.add(file)
  } else {
    file.waiting.delete(connection)
    connection.waitsFor.delete(file)
  }
}

/** Who waits for the file tries again, in order. */
export function notify(locking: SharedFiles, file: SharedFile): void {
  for (const connection of [...file.waiting.keys()]) {
    setWaiting(locking, file, connection, 0)
    connection.isDue = true
    connection.context.wakeSoon?.()
  }
}

/** Of the requests of the connection only these wait now, each for the file of an id. */
export function waitOnlyFor(locking: SharedFiles, connection: Connection, ids: readonly bigint[]): void {
  for (const file of [...connection.waitsFor]) {
    setWaiting(locking, file, connection, ids.filter((id) => id === file.id).length)
    forget(locking, file)
  }
}

/** The connection is closed, and its files with it. */
export function leave(locking: SharedFiles, connection: Connection): void {
  waitOnlyFor(locking, connection, [])
  for (const open of [...connection.opens]) removeOpen(locking, open)
  const { client, hasLeases } = connection
  if (client === undefined || !hasLeases) return
  const others = (locking.clients.get(client) ?? []).filter((each) => each !== connection)
  if (others.length > 0) locking.clients.set(client, others)
  else locking.clients.delete(client)
}

/** A frame goes to a connection that did not ask for it. */
export function post(connection: Connection, frame: Buffer): void {
  connection.outbox.push(frame)
  connection.context.wakeSoon?.()
}

export function takeOutbox(connection: Connection): readonly Buffer[] {
  const { outbox } = connection
  connection.outbox = []
  return outbox
}
