// Which answers a UDP port may send. One that is longer than its question is a weapon against the address in it, which is
// easily forged: such answers have the length that the service declares, and are few.
import type { Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { AnswerBudget } from '../../settings/descriptor.ts'

export interface AnswerLimits {
  /** Answers of a port that are longer than their question, a second: to one source, and to all of them. */
  readonly answersPerSource: Limit
  readonly answersInAll: Limit
  /** Sources whose answers are counted apart. */
  readonly answeredSources: Limit
  /** Answers that are longer than the service declares: none is sent. */
  readonly answerBytes: Limit
  /** 1: what is counted in all is one key. */
  readonly counters: Limit
}

/** What arrived, and what may be answered to it. */
export interface Question extends AnswerBudget {
  readonly source: string
  readonly bytes: number
  readonly at: number
}

const SECOND_MS = 1_000

/** Belongs to one port. Answers, for each question, whether a further part of its answer may be sent, by that part's bytes. */
export function answerGate(limits: AnswerLimits) {
  const { answersPerSource, answersInAll, answeredSources, answerBytes: longest, counters } = limits
  const bySource = windowCounter<string>(answeredSources, SECOND_MS)
  const all = windowCounter<'all'>(counters, SECOND_MS)

  function isLongAnswerDue({ source, at }: Question): boolean {
    const bound =
      bySource.count(source, at) > answersPerSource.max
        ? answersPerSource
        : all.count('all', at) > answersInAll.max
          ? answersInAll
          : undefined
    bound?.hit()
    return bound === undefined
  }

  return (question: Question): ((bytes: number) => boolean) => {
    const { bytes: asked, answerBytes: most = asked } = question
    let sent = 0
    let isLong: boolean | undefined
    return (bytes) => {
      if (sent + bytes > Math.max(asked, most)) {
        longest.hit()
        return false
      }
      if (sent + bytes > asked && !(isLong ??= isLongAnswerDue(question))) return false
      sent += bytes
      return true
    }
  }
}
