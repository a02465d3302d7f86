// One call for each of several Birds: a few at a time, so that a thousand do not crowd out the rest of the page.
import { explain } from '../../problem.ts'

const AT_ONCE = 4

export interface Outcome<T> {
  readonly done: readonly T[]
  readonly refused: number
  /** Why the first was refused. */
  readonly why: string
}

export async function forEachOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<Outcome<T>> {
  const done: T[] = []
  const reasons: string[] = []
  const left = [...items]
  const run = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      try {
        await work(item)
        done.push(item)
      } catch (error) {
        const { title, text } = explain(error)
        reasons.push(`${title} ${text}`)
      }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return { done, refused: reasons.length, why: reasons[0] ?? '' }
}
