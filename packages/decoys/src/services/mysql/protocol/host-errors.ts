// Which hosts are blocked: MariaDB refuses one after `max_connect_errors` connections that ended without a whole login.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'

/** `max_connect_errors`. */
const MAX_ERRORS = 100
/** As many as `host_cache_size` holds; the one that was met longest ago is forgotten first. */
const HOSTS = limit('database_decoy_hosts', 279)

export function hostErrors() {
  const counts = boundedMap<string, number>(HOSTS)
  return {
    note(host: string) {
      if (!isLoopback(host)) counts.set(host, (counts.peek(host) ?? 0) + 1)
    },
    isBlocked: (host: string) => (counts.get(host) ?? 0) >= MAX_ERRORS,
  }
}

export type HostErrors = ReturnType<typeof hostErrors>

/** Its errors are not counted, and its name is known without a question to DNS. */
export const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === '::1'
