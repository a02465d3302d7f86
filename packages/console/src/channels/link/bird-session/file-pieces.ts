// Serves the pieces of a file that a Bird asks for.
import { CHUNK_BYTES, type Body } from '@rookery/link/messages.ts'
import { readRow } from './reconcile.ts'
import { stay, type Effect, type LeavingState, type RegisteredState, type Step } from './state.ts'

/** A Bird has asked for four pieces before the first has come. */
const UNDER_WAY = 4
/** Progress is worth a write after so many bytes. */
const RECORDED_BYTES = 8 * CHUNK_BYTES

/** The piece that was asked for; of a job that has no file for this Bird, the row says what became of it. */
export function serveFile(
  state: RegisteredState | LeavingState,
  { job, offset, length }: Body<'FILE_FETCH'>,
): Step {
  const file = state.files.get(job)
  if (file?.offered !== 'file') return readRow(state)
  const { nodeId } = state
  const serve: Effect = { kind: 'serve-file', transfer: file.transfer, offset, length }
  const copied = Math.max(0, offset + length - UNDER_WAY * CHUNK_BYTES)
  if (copied - file.copied < RECORDED_BYTES) return stay(state, serve)
  const files = new Map(state.files).set(job, { ...file, copied })
  return stay({ ...state, files }, serve, { kind: 'record-file', nodeId, job, copied })
}
