// The world as the options make it: outbound requests reach private addresses only where the owner allows it.
import type { Outbound, World } from '@rookery/kernel/world.ts'
import type { Config } from '../config.ts'
import { parseRanges } from '../net/ranges.ts'
import { systemResolver, systemWorld } from './system.ts'

export const openRealWorld = (config: Config): World =>
  systemWorld(lazyOutbound(config.ROOKERY_OUTBOUND_ALLOW))

/** The HTTP client is large, and many consoles never send: it is loaded with the first request. */
function lazyOutbound(allowed: string): Outbound {
  const allow = parseRanges(allowed, 'ROOKERY_OUTBOUND_ALLOW')
  let opening: Promise<Outbound> | undefined
  return {
    async send(request) {
      opening ??= import('./outbound.ts').then(({ openOutbound }) => openOutbound(allow, systemResolver))
      return (await opening).send(request)
    },
  }
}
