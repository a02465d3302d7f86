// WATCH: whether a key is still what it was, asked when the transaction is executed.
import { createHash } from 'node:crypto'
import { find } from '../values/find.ts'
import type { Call } from '../model/call.ts'
import { sizeOf, type Entry } from '../values/keyspace.ts'

const MAX_WATCHED = 1_000
/** Of what is written out and hashed. */
const BYTES_A_UNIT = 4

export function watch(call: Call, keys: readonly string[]): void {
  const { watched, db } = call.client
  for (const key of keys) {
    call.work.spend(1 + watched.length)
    const isKnown = watched.some((one) => one.db === db && one.key === key)
    if (isKnown || watched.length >= MAX_WATCHED) continue
    const entry = find(call, key)
    watched.push({ db, key, entry, print: printOf(call, entry) })
  }
}

export const hasChanged = (call: Call): boolean =>
  call.client.watched.some(({ db, key, entry, print }) => {
    const current = call.server.keyspace.find(db, key, call.now)
    return current !== entry || printOf(call, current) !== print
  })

function printOf({ work }: Call, entry: Entry | undefined): string {
  if (!entry || entry.type === 'string') return String(entry?.expiresAt)
  work.spend(sizeOf(entry) / BYTES_A_UNIT)
  const elements =
    entry.type === 'stream' ? [entry.value.lastId.join('-'), entry.value.entries.length] : [...entry.value]
  const text = JSON.stringify([entry.expiresAt, elements])
  return createHash('sha1').update(text).digest('base64')
}
