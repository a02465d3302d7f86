// One command under way: its words, who asks, and the few questions every command asks of them.
import type { SessionContext } from '../../session.ts'
import type { Entry, EntryType, Keyspace } from './keyspace.ts'
import type { Protocol } from './resp.ts'

/** What the connections of one listener share. */
export interface Server {
  readonly keyspace: Keyspace
  readonly config: Map<string, string>
  readonly counters: {
    clients: number
    connections: number
    commands: number
    savedAt: number
    dirty: number
  }
}

/** One connection. It is changed in place: a copy for each of 200,000 commands a second would be waste. */
export interface Client {
  readonly id: number
  resp: Protocol
  db: number
  name: string
  readonly connectedAt: number
  /** The commands since MULTI. */
  queue: (readonly string[])[] | undefined
  queuedBytes: number
  isDoomed: boolean
  replies: 'on' | 'off' | 'skip'
  readonly channels: Set<string>
  readonly patterns: Set<string>
}

export interface Call {
  /** The command's name first. */
  readonly args: readonly string[]
  readonly server: Server
  readonly client: Client
  readonly context: SessionContext
  readonly now: number
}

export type Command = (call: Call) => string

/** An answer that ends a command early; its message is the error line without the minus. */
export class Refusal extends Error {}

export const syntaxError = (): Refusal => new Refusal('ERR syntax error')
export const notInteger = (): Refusal => new Refusal('ERR value is not an integer or out of range')
export const notFloat = (): Refusal => new Refusal('ERR value is not a valid float')
export const wrongType = (): Refusal =>
  new Refusal('WRONGTYPE Operation against a key holding the wrong kind of value')

export const find = ({ server, client, now }: Call, key: string): Entry | undefined =>
  server.keyspace.find(client.db, key, now)

type Of<T extends EntryType> = Extract<Entry, { type: T }>

/** The entry, if there is one; refuses one of another type. */
export function findOf<T extends EntryType>(call: Call, key: string, type: T): Of<T> | undefined {
  const entry = find(call, key)
  if (entry && entry.type !== type) throw wrongType()
  return entry as Of<T> | undefined
}

/** The entry, made when there is none. */
export function ensure<T extends Exclude<EntryType, 'string'>>(call: Call, key: string, type: T): Of<T> {
  const known = findOf(call, key, type)
  if (known) return known
  const value = type === 'list' ? [] : type === 'set' ? new Set() : new Map()
  const entry = { type, value } as unknown as Of<T>
  call.server.keyspace.put(call.client.db, key, entry)
  return entry
}

export const put = ({ server, client }: Call, key: string, entry: Entry): void =>
  server.keyspace.put(client.db, key, entry)
export const remove = ({ server, client }: Call, key: string): boolean =>
  server.keyspace.remove(client.db, key)

/** Takes a collection away when its last element has gone. */
export function dropEmpty(call: Call, key: string, entry: Entry): void {
  const size = entry.type === 'list' || entry.type === 'string' ? entry.value.length : entry.value.size
  if (size === 0 && entry.type !== 'string') remove(call, key)
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/
const INT64 = 2n ** 63n

/** A signed 64-bit integer, spelt as Redis takes it. */
export function big(text: string | undefined): bigint {
  if (text === undefined || !INTEGER.test(text)) throw notInteger()
  const value = BigInt(text)
  if (value >= INT64 || value < -INT64) throw notInteger()
  return value
}
export const int = (text: string | undefined): number => Number(big(text))
export const isInt64 = (value: bigint): boolean => value < INT64 && value >= -INT64

export function float(text: string | undefined): number {
  const named = { inf: Infinity, '+inf': Infinity, '-inf': -Infinity, infinity: Infinity }[
    text?.toLowerCase() ?? ''
  ]
  if (named !== undefined) return named
  if (text === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw notFloat()
  return Number(text)
}
export const spellFloat = (n: number): string =>
  n === Infinity ? 'inf' : n === -Infinity ? '-inf' : String(n)

/** Start and end (exclusive) of a range whose negative members count from the end. */
export function range(length: number, first: number, last: number): [number, number] {
  const from = Math.max(0, first < 0 ? length + first : first)
  const to = Math.min(length - 1, last < 0 ? length + last : last)
  return from > to ? [0, 0] : [from, to + 1]
}

export const upper = (text: string | undefined): string => text?.toUpperCase() ?? ''
