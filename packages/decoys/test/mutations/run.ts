// Changed frames until there are enough of them: no throw, no hang, no growth.
import { setImmediate as turn } from 'node:timers/promises'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { drawFrom } from '../draw.ts'
import { faultOf, type Mutated, type MutationTarget } from './target.ts'

export interface MutationRun {
  readonly frames: number
  readonly seed: string
  /** Memory that is in use, MB; asked after each tenth. */
  readonly weigh?: () => Promise<number>
  /** Called often, with the frames so far. */
  readonly onProgress?: (frames: number) => void
}

export interface MutationReport {
  readonly frames: number
  readonly conversations: number
  readonly failed: number
  /** The first few that failed, with why. */
  readonly failures: readonly string[]
  /** At most so long took the slowest conversation: no longer by the clock, and than the processor worked on it and its neighbours. */
  readonly slowestMs: number
  /** Of a conversation, on average. */
  readonly meanAnswer: number
  /** After each tenth, where it is weighed. */
  readonly memoryMb: readonly number[]
  readonly perSecond: number
}

const TENTHS = 10
const SHOWN = 5
/** Conversations in one turn of the event loop. */
const AT_ONCE = 256

/** The same seed sends the same, where the service answers the same. */
export async function runMutations(
  { converse }: MutationTarget,
  { frames: wanted, seed, weigh, onProgress }: MutationRun,
): Promise<MutationReport> {
  const startedAt = performance.now()
  const failures: string[] = []
  const memoryMb: number[] = []
  let [frames, conversations, failed, slowestMs, answerBytes, tenths] = [0, 0, 0, 0, 0, 0]
  // The processor's time is asked once for many: asking takes as long as a conversation.
  let [slowestOfTurnMs, processorMs] = [0, processorTimer()]
  const endTurn = (): void => {
    slowestMs = Math.max(slowestMs, Math.min(slowestOfTurnMs, processorMs()))
    ;[slowestOfTurnMs, processorMs] = [0, processorTimer()]
  }
  while (frames < wanted) {
    const beganAt = performance.now()
    const name = `${seed}/${conversations}`
    const mutated = await attempt(() => converse(drawFrom(name)))
    slowestOfTurnMs = Math.max(slowestOfTurnMs, performance.now() - beganAt)
    conversations += 1
    frames += mutated.frames
    answerBytes += mutated.answerBytes
    if (mutated.fault !== undefined && ++failed <= SHOWN)
      failures.push(`conversation ${name}: ${mutated.fault}`)
    for (; tenths < TENTHS && frames >= ((tenths + 1) * wanted) / TENTHS; tenths += 1)
      if (weigh) memoryMb.push(await weigh())
    if (conversations % AT_ONCE === 0) {
      endTurn()
      onProgress?.(frames)
      await turn()
    }
  }
  endTurn()
  const seconds = (performance.now() - startedAt) / 1_000
  const meanAnswer = answerBytes / conversations
  return {
    frames,
    conversations,
    failed,
    failures,
    slowestMs,
    meanAnswer,
    memoryMb,
    perSecond: frames / seconds,
  }
}

async function attempt(act: () => Mutated | Promise<Mutated>): Promise<Mutated> {
  try {
    return await act()
  } catch (error) {
    return { frames: 1, answerBytes: 0, fault: faultOf(error) }
  }
}
