// Changed frames for each codec, in processes of their own: several at a time, and one that hangs is ended and named.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { MutationReport } from '../../../../packages/decoys/test/mutations/run.ts'

export interface MutationJob {
  /** Of a codec (`codecs.ts`). */
  readonly name: string
  readonly frames: number
  readonly seed: string
}

export type FromChild =
  | { readonly type: 'alive'; readonly frames: number }
  | { readonly type: 'done'; readonly report: MutationReport; readonly leastMeanAnswer: number }

export interface CodecReport extends MutationReport {
  readonly name: string
  /** Of the memory without garbage, from the first tenth to the last, MB. */
  readonly growthMb: number
  /** Its answers were long enough for the frames to have come anywhere. */
  readonly isHeard: boolean
}

/** A conversation takes milliseconds. */
const PATIENCE_MS = 120_000

/** The reports in the order of the jobs; `lanes` processes at a time. */
export async function inProcesses(
  jobs: readonly MutationJob[],
  { lanes = availableParallelism(), patienceMs = PATIENCE_MS, onDone }: InProcesses = {},
): Promise<readonly CodecReport[]> {
  const reports: CodecReport[] = []
  const waiting = [...jobs.entries()]
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, job] = next
        reports[at] = await inProcess(job, patienceMs)
        onDone?.(reports[at])
      }
    }),
  )
  return reports
}

export interface InProcesses {
  readonly lanes?: number
  /** A process that says nothing for so long hangs. */
  readonly patienceMs?: number
  readonly onDone?: (report: CodecReport) => void
}

function inProcess(job: MutationJob, patienceMs: number): Promise<CodecReport> {
  const child = fork(join(import.meta.dirname, 'codec.child.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return new Promise((resolve) => {
    let frames = 0
    let watch: NodeJS.Timeout | undefined
    const listen = (): void => {
      clearTimeout(watch)
      watch = setTimeout(() => {
        resolve(broken(job, frames, `hung behind frame ${frames}`))
        child.kill('SIGKILL')
      }, patienceMs)
    }
    child.once('exit', (code) => {
      clearTimeout(watch)
      // Behind a report this comes too late to count.
      resolve(broken(job, frames, `its process ended with ${code} behind frame ${frames}`))
    })
    child.on('message', (message: FromChild) => {
      listen()
      if (message.type === 'alive') return void ({ frames } = message)
      const { report, leastMeanAnswer } = message
      resolve(judged(job.name, report, leastMeanAnswer))
    })
    listen()
    child.send(job)
  })
}

function judged(name: string, report: MutationReport, leastMeanAnswer: number): CodecReport {
  const { memoryMb, meanAnswer } = report
  const growthMb = (memoryMb.at(-1) ?? Number.NaN) - (memoryMb[0] ?? Number.NaN)
  return { ...report, name, growthMb, isHeard: meanAnswer > leastMeanAnswer }
}

const broken = ({ name, seed }: MutationJob, frames: number, why: string): CodecReport => ({
  name,
  frames,
  conversations: 0,
  failed: 1,
  failures: [`${name}, seed ${seed}: ${why}`],
  slowestMs: Number.NaN,
  meanAnswer: Number.NaN,
  memoryMb: [],
  perSecond: Number.NaN,
  growthMb: Number.NaN,
  isHeard: false,
})
