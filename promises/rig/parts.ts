// Which parts of a case run: `BENCH_PARTS=redis,ssh` chooses two. Figures for the table are taken from all of them.

/** Those of `known` that `wanted` names, in the order of `known`; all of them when it names none. */
export function chosenParts(known: readonly string[], wanted = process.env['BENCH_PARTS'] ?? ''): string[] {
  const names = wanted.split(',').filter(Boolean)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`BENCH_PARTS names "${unknown}"; the parts of this case are ${known.join(', ')}.`)
  return known.filter((name) => names.length === 0 || names.includes(name))
}
