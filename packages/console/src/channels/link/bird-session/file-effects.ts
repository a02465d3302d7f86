// What sessions do with files for Birds in the database.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Body } from '@rookery/link/messages.ts'
import type { AppContext } from '../../../app-context.ts'
import { readBytes } from '../../../flows/files/stored-files.ts'
import { MAX_TRANSFER_REASON, progress, recordFileState } from '../../../flows/files/transfers.ts'
import { changeTransfer, findTransfer } from '../../../stores/transfers/store.ts'
import type { Connection } from '../connection.ts'
import { sanitizeText } from '../sanitize.ts'
import type { Effect, Input } from './state.ts'

type FileEffectDeps = Pick<AppContext, 'reader' | 'writer' | 'world' | 'vault'>

/** Sends the piece; a file that was removed meanwhile belongs to a job that has ended, as its row says. */
export async function sendPiece(
  { reader }: FileEffectDeps,
  connection: Pick<Connection, 'send'>,
  { transfer, offset, length }: Effect & { kind: 'serve-file' },
): Promise<Input | undefined> {
  const file = { fileId: transfer.file_id, sha256: transfer.sha256 ?? '', size: transfer.size }
  try {
    const bytes = (await readBytes(reader, file, offset, length)).toString('base64')
    connection.send({ kind: 'FILE_CHUNK', body: { job: transfer.job_id, offset, bytes } })
    return undefined
  } catch (error) {
    if (error instanceof Fault && error.code === 'not-found') return { kind: 'recorded' }
    throw error
  }
}

export const recordFetched = (
  { writer, world }: FileEffectDeps,
  { nodeId, job, copied }: Effect & { kind: 'record-file' },
): Promise<undefined> =>
  writer.write(async (tx) => {
    const row = await findTransfer(tx.query, job)
    const now = world.clock.now()
    if (row?.node_id === nodeId) await changeTransfer(tx, job, now, progress(row, copied, now))
    return undefined
  })

export const recordReported = (
  deps: FileEffectDeps,
  nodeId: string,
  report: Body<'FILE_STATE'>,
): Promise<Input> =>
  deps.writer.write(async (tx) => {
    const reason = sanitizeText(report.reason, MAX_TRANSFER_REASON)
    await recordFileState(tx, deps, nodeId, { ...report, reason })
    return { kind: 'recorded' }
  })
