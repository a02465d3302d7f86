// The world as the options make it: outbound requests reach private addresses only where the owner allows it.
import type { World } from '@rookery/kernel/world.ts'
import type { Config } from '../config.ts'
import { parseRanges } from '../net/ranges.ts'
import { openOutbound } from './outbound.ts'
import { systemResolver, systemWorld } from './system.ts'

export const openRealWorld = (config: Config): World =>
  systemWorld(openOutbound(parseRanges(config.ROOKERY_OUTBOUND_ALLOW, 'ROOKERY_OUTBOUND_ALLOW'), systemResolver))
