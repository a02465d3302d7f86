// Offers a Bird the files of its jobs, as their rows say.
import type { Body } from '@rookery/link/messages.ts'
import type { OpenTransfer } from '../../../stores/transfers/store.ts'
import { send, stay, type Effect, type OfferedFile, type RegisteredState, type Step } from './state.ts'

/** Each change of a job once in a session; a Bird of an earlier release knows no such frames. */
export function offerFiles(
  state: RegisteredState,
  transfers: readonly OpenTransfer[],
  now: number,
): Step<RegisteredState> {
  if (state.hello.files !== 1 || (transfers.length === 0 && state.files.size === 0)) return stay(state)
  const files = new Map<string, OfferedFile>()
  const effects: Effect[] = []
  for (const transfer of transfers) {
    const before = state.files.get(transfer.job_id)
    const offered = whatOf(transfer)
    files.set(transfer.job_id, { transfer, offered, copied: before?.copied ?? 0 })
    if (before?.offered !== offered) effects.push(send('FILE_OFFER', fileOffer(transfer, offered, now)))
  }
  return stay({ ...state, files }, ...effects)
}

const whatOf = ({ state, sha256 }: OpenTransfer): OfferedFile['offered'] =>
  state === 'cancelling' ? 'cancelled' : state === 'sending' && sha256 !== null ? 'file' : 'job'

const fileOffer = (
  { job_id, kind, sha256, size, source, manifest, signature }: OpenTransfer,
  offered: OfferedFile['offered'],
  serverMs: number,
): Body<'FILE_OFFER'> => ({
  job: job_id,
  kind,
  ...(offered === 'file' && sha256 !== null && { file: { sha256, size } }),
  ...(manifest !== null &&
    signature !== null && { app: { manifest, signature, serverMs, ...(source !== '' && { source }) } }),
  ...(offered === 'cancelled' && { cancelled: true }),
})
