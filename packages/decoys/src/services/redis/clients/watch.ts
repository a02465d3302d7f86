// WATCH: whether a key is still what it was, asked when the transaction is executed.
import { createHash } from 'node:crypto'
import { find, type Call } from '../call.ts'
import type { Entry } from '../values/keyspace.ts'

const MAX_WATCHED = 1_000

export function watch(call: Call, keys: readonly string[]): void {
  const { watched, db } = call.client
  for (const key of keys) {
    const isKnown = watched.some((one) => one.db === db && one.key === key)
    if (isKnown || watched.length >= MAX_WATCHED) continue
    const entry = find(call, key)
    watched.push({ db, key, entry, print: printOf(entry) })
  }
}

export const hasChanged = ({ client, server, now }: Call): boolean =>
  client.watched.some(({ db, key, entry, print }) => {
    const current = server.keyspace.find(db, key, now)
    return current !== entry || printOf(current) !== print
  })

function printOf(entry: Entry | undefined): string {
  if (!entry || entry.type === 'string') return String(entry?.expiresAt)
  const elements =
    entry.type === 'stream' ? [entry.value.lastId.join('-'), entry.value.entries.length] : [...entry.value]
  const text = JSON.stringify([entry.expiresAt, elements])
  return createHash('sha1').update(text).digest('base64')
}
