// Which hosts are blocked: MariaDB refuses one after `max_connect_errors` connections that ended without a whole login.
import { limit } from '@rookery/kernel/limit.ts'

/** `max_connect_errors`. */
const MOST_ERRORS = 100
/** As many as `host_cache_size` holds; the one that was met longest ago is forgotten first. */
const HOSTS = limit('database_decoy_hosts', 279)

export interface HostErrors {
  note(host: string): void
  isBlocked(host: string): boolean
}

export function hostErrors(): HostErrors {
  const counts = new Map<string, number>()
  const touch = (host: string, count: number): void => {
    counts.delete(host)
    counts.set(host, count)
    if (counts.size <= HOSTS.max) return
    HOSTS.hit()
    counts.delete(counts.keys().next().value ?? '')
  }
  return {
    note: (host) => {
      if (!isLoopback(host)) touch(host, (counts.get(host) ?? 0) + 1)
    },
    isBlocked(host) {
      const count = counts.get(host)
      if (count === undefined) return false
      touch(host, count)
      return count >= MOST_ERRORS
    },
  }
}

/** Its errors are not counted, and its name is known without a question to DNS. */
export const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === '::1'
