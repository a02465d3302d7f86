import { setTimeout as wait } from 'node:timers/promises'

/** Asks again and again until there is an answer; throws, naming what was awaited, when that takes too long. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  patienceMs = 10_000,
  everyMs = 10,
): Promise<T> {
  const end = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`Not within ${patienceMs / 1000} s: ${what}.`)
    await wait(everyMs)
  }
}
