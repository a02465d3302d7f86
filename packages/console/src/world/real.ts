// The world as the options make it: outbound requests reach private addresses only where the owner allows it.
import type { Outbound, World } from '@rookery/kernel/world.ts'
import type { Config } from '../config.ts'
import { parseRanges } from '../net/ranges.ts'
import { systemResolver, systemWorld } from './system.ts'

export const openRealWorld = (config: Config): World =>
  systemWorld(lazyOutbound(config.ROOKERY_OUTBOUND_ALLOW))

/** The HTTP client is large, and many consoles never send: it is loaded when there is a receiver. */
function lazyOutbound(allowed: string): Outbound {
  const allow = parseRanges(allowed, 'ROOKERY_OUTBOUND_ALLOW')
  let opening: Promise<Outbound> | undefined
  const open = (): Promise<Outbound> => {
    opening ??= import('./outbound.ts').then(({ openOutbound }) => openOutbound(allow, systemResolver))
    // What failed once (its file was being replaced) is tried again by the next request.
    opening.catch(() => (opening = undefined))
    return opening
  }
  return {
    send: async (request) => (await open()).send(request),
    async prepare() {
      await open()
    },
  }
}
