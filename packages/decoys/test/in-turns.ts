/** Works on so many items at a time. The results in the order of the items. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const [at, item] of waiting) results[at] = await work(item)
    }),
  )
  return results
}
