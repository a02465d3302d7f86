// Who leaves where everything is taken: a newcomer is never turned away for those that were there first.

/** So many of the oldest are compared before one of them leaves. */
const COMPARED = 64

/** Of the oldest ones that of the source with the most: who opens many makes room first. Undefined when there is none. */
export function oldestOfBusiest<T>(
  oldestFirst: ReadonlySet<T>,
  countOfSource: (one: T) => number,
): T | undefined {
  let found: T | undefined
  let most = 0
  for (const one of oldestFirst.values().take(COMPARED)) {
    const count = countOfSource(one)
    if (count <= most) continue
    found = one
    most = count
  }
  return found
}
