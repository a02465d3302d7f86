// Transfers of files to Birds as a start, an upload and an end of an upload make them.
import { randomBytes } from 'node:crypto'
import { cancelTransfer, deadlineOf, endOverdue } from '../src/flows/files/transfers.ts'
import { storedFiles } from '../src/flows/files/stored-files.ts'
import { addTransfer, changeTransfer, findTransfer, type TransferRow } from '../src/stores/transfers/store.ts'
import type { TestConsole } from './test-console.ts'

/** What a start, an upload and an end of an upload do. */
export function jobs(rookery: TestConsole) {
  const { writer, world, reader } = rookery.console.base
  const now = (): number => world.clock.now()
  return {
    async start(node_id: string, kind: 'webroot' | 'share' = 'webroot', at = now()): Promise<string> {
      const job_id = randomBytes(16).toString('hex')
      const settings = kind === 'webroot' ? '{"http.userwebroot_present":true}' : '{}'
      await writer.write((tx) =>
        addTransfer(tx, {
          job_id,
          node_id,
          kind,
          password: '',
          settings,
          created_at: at,
          deadline_at: deadlineOf(kind, at),
        }),
      )
      return job_id
    },
    async upload(job: string, bytes: Buffer): Promise<void> {
      const store = storedFiles({ ...rookery.console.base, maxBytes: 64 * 1024 * 1024 })
      const { fileId, size } = await store({
        use: 'webroot',
        owner: job,
        size: bytes.length,
        source: once(bytes),
      })
      await writer.write((tx) => changeTransfer(tx, job, now(), { state: 'sending', file_id: fileId, size }))
    },
    cancel: (job: string, reason = 'It was cancelled.') =>
      writer.write(async (tx) => {
        const row = await findTransfer(tx.query, job)
        return row && cancelTransfer(tx, row, reason, now())
      }),
    row: async (job: string): Promise<TransferRow | undefined> => findTransfer(reader, job),
    owned: async (job: string): Promise<number> =>
      (await reader.selectFrom('stored_file').select('file_id').where('owner', '=', job).execute()).length,
    sweep: (at: number) => writer.write((tx) => endOverdue(tx, at)),
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
