// Where a redirecting token leads.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import type { TokenAddress } from '../../token.ts'

/** The target as a header takes it; one on the token's own hosts would lead back to the token, and is a `bad-input`. */
export function redirectTarget({ url, hostname, tokenId }: TokenAddress, target: string): string {
  const { hostname: named, href } = new URL(target)
  // A name with a dot at its end is the same name (RFC 1034, 3.1).
  const host = named.replace(/\.$/, '')
  const zone = hostname.slice(tokenId.length + 1)
  const isOurs = host === new URL(url).hostname || host === zone || host.endsWith(`.${zone}`)
  if (!isOurs) return href
  throw invalidParameter(
    'browser_redirect_url',
    `must lead to another host than the token's own, not to ${host}`,
  )
}
