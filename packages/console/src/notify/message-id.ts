import { hex } from '@rookery/kernel/ids.ts'
import type { Random } from '@rookery/kernel/world.ts'

/** The `webhook-id` of a new message: the same on every try, whatever the kind of its receiver. */
export const newMessageId = (random: Random): string => `msg_${hex(random, 32)}`
