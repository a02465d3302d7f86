// The host of a Referer header, compared at label boundaries.

/** In lower case, without port and trailing dot; undefined for a missing or unreadable header. */
export function refererHost(referer: string | undefined): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined
  const host = new URL(referer).hostname.toLowerCase().replace(/\.$/, '')
  return host === '' ? undefined : host
}

/** `login.example.com` is `example.com` or below it; `badexample.com` is not. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)
