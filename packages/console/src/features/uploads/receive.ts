// Takes the zip of a job: `PUT`, or a form with one file, to /upload/<job_id>. Who sends it has the job's password, and no key.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { MAX_FILE_BYTES } from '@rookery/link/messages.ts'
import type { AppContext } from '../../app-context.ts'
import type { StoreFile } from '../../flows/files/stored-files.ts'
import { deadlineOf } from '../../flows/files/transfers.ts'
import { sendJson } from '../../http/json.ts'
import { releaseFile } from '../../stores/files/store.ts'
import { changeTransfer, findTransfer, type TransferRow } from '../../stores/transfers/store.ts'
import { fileOfForm } from './form-file.ts'
import { checkPassword } from './password.ts'
import { steadyBytes } from './steady-bytes.ts'

export interface ReceiveDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'> {
  readonly storeFile: StoreFile
  readonly wakeLinks: () => void
}

const PATH = '/upload/:job'
const TAKEN = ['PUT', 'POST']
/** The header and the end of a form around its file. */
const FORM_BYTES = 64 * 1024
/** How often a job whose zip arrives is kept from its deadline. */
const TOUCH_MS = 60_000

export function serveUploads(server: FastifyInstance, deps: ReceiveDeps): void {
  const { reader, writer, world, wakeLinks } = deps
  const { clock } = world
  /** Of this console: two at once for one job would only take room. */
  const arriving = new Set<string>()

  server.route({
    method: server.supportedMethods.filter((method) => !TAKEN.includes(method)),
    url: PATH,
    handler({ method }, reply) {
      reply.header('Allow', TAKEN.join(', '))
      throw new Fault('method-not-allowed', `${method} is not allowed here: use ${TAKEN.join(' or ')}.`)
    },
  })
  server.route<{ Params: { readonly job: string } }>({
    method: TAKEN,
    url: PATH,
    async handler(request, reply) {
      const { job } = request.params
      const row = required(await findTransfer(reader, job), 'There is no such upload.')
      await checkPassword(deps, row, request, reply)
      refuseLate(row)
      const length = lengthOf(request)
      if (arriving.has(job)) throw new Fault('conflict', 'A zip for this upload is arriving already.')
      arriving.add(job)
      try {
        const file = await receive(request, row, length)
        return await sendJson(reply, { result: 'success', job_id: job, ...file })
      } catch (error) {
        // What has not arrived is of no use any more.
        reply.header('Connection', 'close')
        throw request.raw.destroyed && !(error instanceof Fault) ? CUT_OFF : error
      } finally {
        arriving.delete(job)
      }
    },
  })

  async function receive(request: FastifyRequest, row: TransferRow, length: number) {
    const body = steadyBytes(request.raw, clock)
    const type = request.headers['content-type'] ?? ''
    const isForm = /^multipart\/form-data\b/i.test(type)
    const source = kept(isForm ? fileOfForm(body, type) : body, row)
    const file = await deps.storeFile({
      use: row.kind,
      owner: row.job_id,
      size: length,
      isAtMost: isForm,
      source,
    })
    const { fileId: file_id, size, sha256 } = file
    await writer.write(async (tx) => {
      const present = await findTransfer(tx.query, row.job_id)
      const problem = present ? lateness(present) : GONE
      if (problem) return releaseFile(tx, file_id)
      const now = clock.now()
      await changeTransfer(tx, row.job_id, now, {
        file_id,
        size,
        deadline_at: deadlineOf(row.kind, now),
        // Files of a share wait for the end of the job.
        ...(row.kind === 'webroot' && { state: 'sending' }),
      })
    })
    refuseLate(required(await findTransfer(reader, row.job_id), GONE), file_id)
    wakeLinks()
    return { size, sha256 }
  }

  /** The same bytes; a job that is cancelled meanwhile takes no more. */
  async function* kept(source: AsyncIterable<Uint8Array>, row: TransferRow): AsyncGenerator<Uint8Array> {
    let touchedAt = clock.now()
    for await (const bytes of source) {
      const now = clock.now()
      if (now - touchedAt > TOUCH_MS) {
        touchedAt = now
        const change = { deadline_at: deadlineOf(row.kind, now) }
        const isOpen = await writer.write((tx) => changeTransfer(tx, row.job_id, now, change))
        if (!isOpen) throw new Fault('conflict', 'The upload was ended while the zip arrived.')
      }
      yield bytes
    }
  }
}

const CUT_OFF = new Fault('bad-input', 'The zip did not arrive whole. Send it again.')
const GONE = 'The upload was ended while the zip arrived.'

/** Why a job takes no zip; `ownFile` is the one that it was just given. */
function lateness({ ended_at, state, file_id, reason }: TransferRow, ownFile = ''): string | undefined {
  if (ended_at !== null || state === 'cancelling') return `This upload has ended: ${reason || state}`
  return file_id === ownFile ? undefined : 'This upload has its zip already. End it, and start another.'
}

function refuseLate(row: TransferRow, ownFile = ''): void {
  const problem = lateness(row, ownFile)
  if (problem !== undefined) throw new Fault('conflict', problem)
}

function lengthOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'])
  if (headers['transfer-encoding'] !== undefined || !Number.isSafeInteger(length) || length <= 0)
    throw new Fault(
      'length-required',
      'An upload must say its Content-Length, and have a byte at least. Send a file, as `curl -T site.zip` does.',
    )
  // RFC 9110, 14.4: to be refused, for a part would be taken for the whole.
  if (headers['content-range'] !== undefined)
    throw new Fault('bad-input', 'An upload is one whole zip: send it without Content-Range.')
  const isForm = /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
  const most = MAX_FILE_BYTES + (isForm ? FORM_BYTES : 0)
  if (length > most) throw new Fault('too-large', `A zip may be ${MAX_FILE_BYTES} bytes long, not ${length}.`)
  return length
}
