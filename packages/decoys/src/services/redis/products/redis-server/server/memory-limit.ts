// CONFIG SET maxmemory: what Redis evicts and refuses when it uses more than that.
import type { Call } from '../model/call.ts'
import { usedMemory } from './server-process.ts'

export const OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'."

/** Evicts what the policy allows. An empty server uses as much as ours, so that no eviction is enough. */
export function isOutOfMemory(call: Call): boolean {
  const { config, keyspace } = call.server
  const limit = Number(config.get('maxmemory'))
  // A replica ignores it: its master evicts.
  if (limit === 0 || call.server.master || usedMemory(call) <= limit) return false
  const policy = config.get('maxmemory-policy') ?? 'noeviction'
  if (policy !== 'noeviction') keyspace.evict(policy.startsWith('volatile'))
  return true
}
