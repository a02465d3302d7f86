// Waits that end when the console stops.
import type { Clock } from '@rookery/kernel/world.ts'

/** Settles as the promise does, unless the signal is aborted before: then it rejects with its reason. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason as Error)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

export const sleep = (clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> =>
  untilAborted(new Promise((resolve) => void clock.after(ms, resolve)), signal)
