// Sends one codec its changed frames, in a process of its own.
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runMutations } from '../../../../packages/decoys/test/mutations/run.ts'
import { codecNamed } from './codecs.ts'
import type { FromChild, MutationJob } from './processes.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const MB = 1024 * 1024

/** Without garbage: the heap, and buffers outside of it. What a first collection finds, hashes among it, is freed a turn later. */
async function weigh(): Promise<number> {
  collect()
  await turn()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MB
}

const tell = (message: FromChild): void => void process.send?.(message)

async function serve({ name, frames, seed }: MutationJob): Promise<void> {
  const codec = await codecNamed(name)
  const onProgress = (done: number): void => tell({ type: 'alive', frames: done })
  const report = await runMutations(codec, { frames, seed, weigh, onProgress })
  tell({ type: 'done', report, leastMeanAnswer: codec.leastMeanAnswer })
  process.disconnect()
}

process.once('message', (job: MutationJob) => void serve(job))
process.once('disconnect', () => process.exit())
