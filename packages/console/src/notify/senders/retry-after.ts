/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or an HTTP date, as milliseconds from now; 0 when there is none. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}
