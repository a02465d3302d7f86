// Which answers a UDP port may send. One that is longer than its question is a weapon against the address in it, which is
// easily forged: such answers have the length that the service declares, and are few.
import type { Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { AnswerBudget } from '../../settings/descriptor.ts'

export interface AnswerLimits {
  /** Answers of a port that are longer than their question, a second: to one source, and to all of them. */
  readonly answersPerSource: Limit
  /** So many of them to one source at once, before those of a second: a walk through a tree asks as fast as it is answered. */
  readonly answersAtOnce: number
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
  const { answersPerSource, answersInAll, answerBytes: longest, counters } = limits
  const isLeft = sourceBudgets(limits)
  const all = windowCounter<'all'>(counters, SECOND_MS)

  function isLongAnswerDue({ source, at }: Question): boolean {
    const bound = !isLeft(source, at)
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

/** What a source may still get: it fills by `answersPerSource` a second, up to `answersAtOnce`. */
interface Budget {
  left: number
  at: number
}

function sourceBudgets({ answersPerSource, answersAtOnce, answeredSources }: AnswerLimits) {
  const budgets = new Map<string, Budget>()
  const fullMs = (answersAtOnce / answersPerSource.max) * SECOND_MS
  const full = (at: number): Budget => ({ left: answersAtOnce, at })
  // Of all sources beyond those that are counted apart.
  const others = full(0)

  /** Who asked longest ago stands first, and is full again first. */
  function forgetFull(now: number): void {
    for (const [source, { at }] of budgets) {
      if (at <= now && at + fullMs > now) return
      budgets.delete(source)
    }
  }

  function budgetOf(source: string, now: number): Budget {
    const known = budgets.get(source)
    if (!known && budgets.size >= answeredSources.max) forgetFull(now)
    if (!known && budgets.size >= answeredSources.max) {
      answeredSources.hit()
      return others
    }
    const budget = known ?? full(now)
    budgets.delete(source)
    budgets.set(source, budget)
    return budget
  }

  return (source: string, now: number): boolean => {
    const budget = budgetOf(source, now)
    const passedMs = Math.max(0, now - budget.at)
    budget.left = Math.min(answersAtOnce, budget.left + (passedMs * answersPerSource.max) / SECOND_MS)
    budget.at = now
    if (budget.left < 1) return false
    budget.left -= 1
    return true
  }
}
