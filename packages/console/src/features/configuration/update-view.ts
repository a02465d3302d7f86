// Updates among the bundles of a Bird.
import { epoch } from '@rookery/kernel/time.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import type { TransferRow } from '../../stores/transfers/store.ts'

const ROLLED_BACK = /^rolled back: /

export function updateView(row: TransferRow, bird: Pick<BirdRow, 'name'>) {
  const { job_id, state, reason, copied, created_at, ended_at } = row
  return {
    tag: job_id,
    name: `Update of ${bird.name}`,
    settings_key: '',
    checksum: '',
    node_id: row.node_id,
    type: 'update',
    state: stateOf(row),
    bundle_size: row.size,
    bytes_copied: copied,
    reason: state === 'failed' ? reason : '',
    created: String(epoch(created_at)),
    created_time: String(epoch(created_at)),
    // Begun once the Bird has said which process fetches it.
    started_time: row.pid === 0 ? '' : String(epoch(created_at)),
    ended_time: ended_at === null ? '' : String(epoch(ended_at)),
    updated_time: String(epoch(row.updated_at)),
  }
}

function stateOf({ state, reason, pid }: TransferRow) {
  if (state === 'failed') return ROLLED_BACK.test(reason) ? ('rolled back' as const) : ('failed' as const)
  if (state === 'applied') return 'applied' as const
  return pid === 0 ? ('waiting' as const) : ('started' as const)
}
