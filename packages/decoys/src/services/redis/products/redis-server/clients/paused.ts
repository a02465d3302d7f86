// CLIENT PAUSE: commands of all connections wait, or those that write.
import type { Call, Client, Server } from '../model/call.ts'
import { hasArity, lookUp, type CommandSpec } from '../command-table/table.ts'

/** A longer pause ends so early: the decoy must not fall silent for good. */
const MAX_MS = 60_000

/** A second pause makes the first one longer or stricter, never the opposite. */
export function pauseClients({ server, now }: Call, ms: number, onlyWrites: boolean): void {
  const isPaused = server.pausedUntil > now
  server.pausesOnlyWrites = onlyWrites && (!isPaused || server.pausesOnlyWrites)
  server.pausedUntil = Math.max(isPaused ? server.pausedUntil : 0, now + Math.min(ms, MAX_MS))
}

export function endPause(server: Server): void {
  server.pausedUntil = 0
  for (const client of server.clients) if (client.postponed) client.context.wakeSoon?.()
}

/** A command that Redis refuses is refused at once. */
export function isHeldBack(server: Server, client: Client, words: readonly string[], now: number): boolean {
  if (server.pausedUntil <= now || client.replica.phase !== 'none' || server.monitors.has(client))
    return false
  const spec = lookUp(words)
  if (!spec || !hasArity(spec, words.length)) return false
  return !server.pausesOnlyWrites || [words, ...queuedFor(client, spec)].some(mayWrite)
}

const queuedFor = ({ queue = [] }: Client, { name }: CommandSpec): readonly (readonly string[])[] =>
  name === 'exec' ? queue : []

function mayWrite(words: readonly string[]): boolean {
  const flags = lookUp(words)?.flags
  return flags !== undefined && (flags.has('write') || flags.has('may_replicate'))
}
