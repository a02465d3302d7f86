// A job as its operations show it.
import type { Answer } from '@rookery/contract/operation.ts'
import type { uploads } from '@rookery/contract/groups/uploads.ts'
import type { Call } from '../../http/call.ts'
import type { Vault } from '../../secrets/vault.ts'
import { transferPasswordPlace } from '../../stores/transfers/rekey.store.ts'
import type { TransferRow } from '../../stores/transfers/store.ts'

export type JobView = Answer<typeof uploads.webrootStart>

/** So long an end is shown. */
const END_SHOWN_MS = 600_000

export const NO_JOB: JobView = { result: 'success', type: null }

interface Shown {
  readonly vault: Pick<Vault, 'open'>
  readonly now: number
  readonly call: Pick<Call, 'sharedUrl'>
}

export function jobView(row: TransferRow, { vault, now, call }: Shown): JobView {
  if (row.ended_at !== null && now - row.ended_at > END_SHOWN_MS) return NO_JOB
  const { job_id, password, pid, size, copied, state, reason } = row
  return {
    result: 'progress',
    type: typeOf(row),
    job_id,
    password: password === '' ? '' : vault.open(password, transferPasswordPlace(job_id)),
    pid,
    url: `${call.sharedUrl}/upload/${job_id}`,
    size,
    bytes_copied: copied,
    outcome: state === 'applied' || state === 'failed' ? state : '',
    reason,
  }
}

function typeOf({ state, kind }: TransferRow): JobView['type'] {
  switch (state) {
    case 'waiting':
      return 'RequestStart'
    case 'ready':
      return 'Start'
    case 'sending':
      return kind === 'share' ? 'RequestEnd' : 'Start'
    case 'cancelling':
      return 'RequestCancel'
    case 'applied':
    case 'failed':
      return 'End'
  }
}
