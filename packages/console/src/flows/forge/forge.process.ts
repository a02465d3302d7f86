// The forge process: makes the files of tokens, one at a time. It alone loads the libraries of kinds, and reads what people
// upload; it has no secret, no database and no listener.
import { once } from 'node:events'
import { Fault } from '@rookery/kernel/fault.ts'
import { lowerPriority } from '@rookery/console/world/priority.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { forges } from '@rookery/tokens/forges.gen.ts'
import { startThread } from '../../db/thread.ts'
import type { ForgeJob, ForgeReply } from './messages.ts'

/** Below the console, so that a long forging leaves it the processor. */
const NICE = 10
const LARGE_BYTES = 1024 * 1024

lowerPriority(NICE)
const guard = startThread('memory-guard', import.meta.url, { maxBytes: Number(process.argv[2]) })
const guarded = once(guard, 'message')
// A terminal sends Ctrl-C to the whole group; the console ends this process by itself.
process.on('SIGINT', () => undefined)
process.once('disconnect', () => process.exit())
process.on('message', (job: ForgeJob) => void answer(job))

async function answer(job: ForgeJob): Promise<void> {
  await guarded
  const reply = await run(job).catch(failureOf)
  process.send?.(reply, () => {
    // These buffers are free now; without this they would count against the next file.
    if (bytesOf(job, reply) > LARGE_BYTES) globalThis.gc?.()
  })
}

const bytesOf = ({ uploads }: ForgeJob, reply: ForgeReply): number =>
  Object.values(uploads).reduce((sum, { byteLength }) => sum + byteLength, 0) +
  (reply.type === 'forged' ? reply.file.bytes.byteLength : 0)

async function run({ kind, seed, ...job }: ForgeJob): Promise<ForgeReply> {
  const load = forges[kind]
  if (!load) throw new Error(`The kind ${kind} has no forge.ts.`)
  const forge = await load()
  return { type: 'forged', file: await forge.file({ ...job, derive: deriver(kind, seed) }) }
}

function failureOf(error: unknown): ForgeReply {
  if (error instanceof Fault)
    return { type: 'refused', code: error.code, message: error.message, details: error.details ?? {} }
  return { type: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
