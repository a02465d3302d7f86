// The forge process: makes the files of tokens, one at a time. It alone loads the libraries of kinds, and reads what people
// upload; it has no secret, no database and no listener.
import { once } from 'node:events'
import { Fault } from '@rookery/kernel/fault.ts'
import { lowerPriority } from '@rookery/console/world/priority.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import type { Forge } from '@rookery/tokens/forge.ts'
import { forges } from '@rookery/tokens/forges.gen.ts'
import { startThread } from '../../db/thread.ts'
import { newWorkEnd, usedMicroseconds } from './forge-bounds.ts'
import type { ForgeJob, ForgeReply, LoadKind } from './messages.ts'

/** Below the console, so that a long forging leaves it the processor. */
const NICE = 10
const LARGE_BYTES = 1024 * 1024

lowerPriority(NICE)
const bounds = { maxBytes: Number(process.argv[2]), workEndsAt: newWorkEnd() }
const guard = startThread('forge-guard', import.meta.url, bounds)
const guarded = once(guard, 'message').then(() => process.send?.({ type: 'ready' } satisfies ForgeReply))
// A terminal sends Ctrl-C to the whole group; the console ends this process by itself.
process.on('SIGINT', () => undefined)
process.once('disconnect', () => process.exit())
process.on('message', (message: ForgeJob | LoadKind) => {
  if ('load' in message) load(message.load).catch(() => undefined)
  else void answer(message)
})

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

async function load(kind: string): Promise<Forge> {
  const found = forges[kind]
  if (!found) throw new Error(`The kind ${kind} has no forge.ts.`)
  return found()
}

async function run({ kind, seed, workMs = Infinity, ...job }: ForgeJob): Promise<ForgeReply> {
  const forge = await load(kind)
  bounds.workEndsAt[0] = workMs * 1_000 + usedMicroseconds()
  try {
    return { type: 'forged', file: await forge.file({ ...job, derive: deriver(kind, seed) }) }
  } finally {
    bounds.workEndsAt[0] = Infinity
  }
}

function failureOf(error: unknown): ForgeReply {
  if (error instanceof Fault)
    return { type: 'refused', code: error.code, message: error.message, details: error.details ?? {} }
  return { type: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
