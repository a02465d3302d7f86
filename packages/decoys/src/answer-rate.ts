// How often a service answers over UDP where its answers are longer than the questions: sources are easily forged.
import type { Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import { sourceOf } from './host/source.ts'
import type { SessionContext } from './session.ts'

export interface AnswerLimits {
  /** Answers a second to one source. */
  readonly perSource: Limit
  /** Answers a second to all of them together. */
  readonly inAll: Limit
  /** Sources that are counted apart. */
  readonly sources: Limit
  /** 1: what is counted in all is one key. */
  readonly listeners: Limit
}

const SECOND_MS = 1_000

/** Whether the source of the question may get an answer now; each call counts. Belongs to one listener. */
export function answerRate({ perSource, inAll, sources, listeners }: AnswerLimits) {
  const bySource = windowCounter<string>(sources, SECOND_MS)
  const all = windowCounter<'all'>(listeners, SECOND_MS)
  return ({ src, now }: Pick<SessionContext, 'src' | 'now'>): boolean => {
    if (all.count('all', now()) > inAll.max) {
      inAll.hit()
      return false
    }
    if (bySource.count(sourceOf(src.host), now()) <= perSource.max) return true
    perSource.hit()
    return false
  }
}
