// Where a token leads its visitors must not be this console: they would go in a circle, and every turn is a touch.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { TokenAddress } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import { isInZone, type OwnHosts } from '../../addresses/own-hosts.ts'
import { findTokenId } from '../../secrets/token-id.ts'

export interface TargetDeps extends Pick<AppContext, 'vault'> {
  readonly ownHosts: OwnHosts
}

/** A setting that must lead elsewhere, and does not, is a `bad-input` that names it. */
export function checkTargets(
  { ownHosts, vault }: TargetDeps,
  { settings: described }: Pick<TokenDescriptor, 'settings'>,
  settings: TokenSettings,
  { tokenId, url, hostname }: TokenAddress,
): void {
  const zone = hostname.slice(tokenId.length + 1)
  for (const [name, setting] of Object.entries(described)) {
    const target = settings[name]
    if (setting.type !== 'url' || !setting.elsewhere || typeof target !== 'string') continue
    const { hostname: host, href, hash } = new URL(target)
    if (ownHosts.has(host) || isInZone(host, zone) || host === new URL(url).hostname)
      throw invalidParameter(name, `must lead to another host than those of this console, not to ${host}`)
    // By whatever name a request comes, such as another token's own domain, an id in it is a touch.
    if (findTokenId(href.slice(0, href.length - hash.length), vault) !== undefined)
      throw invalidParameter(name, 'must not name a decoy token of this console')
  }
}
