// Extension: the last touches that an ignore list hid, each with the entry that did.
import { ignoredTouches } from '@rookery/contract/groups/ignored-touches.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { epoch, std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { canonicalAddress } from '../../addresses/ip-list.ts'
import { listIgnored } from '../../stores/ignore/ignored.store.ts'

export const ignoredTouchesRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] =>
  implement(ignoredTouches, {
    async list({ flock_id, node_id, src_ip }, { caller }: Call) {
      const rows = await listIgnored(reader, caller.scope, {
        ...(flock_id !== undefined && { flockId: flock_id }),
        ...(node_id !== undefined && { nodeId: node_id }),
        ...(src_ip !== undefined && { srcHost: canonicalAddress(src_ip, 'src_ip') }),
      })
      return {
        ignored_touches: rows.map(({ ignored_id: _id, received_at, ...row }) => ({
          ...row,
          received: epoch(received_at),
          received_std: std(received_at),
        })),
      }
    },
  })
