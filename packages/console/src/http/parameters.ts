// One flat set of parameters from query and body: the query wins, of duplicates the first.
import type { RawValue } from './body/decoder.ts'

export type RawParameters = Readonly<Record<string, RawValue>>

/** The parameters of all sources, in the order of their precedence. */
export function mergeParameters(...sources: Iterable<readonly [string, RawValue]>[]): RawParameters {
  // Without a prototype: a parameter may be called `__proto__`.
  const merged = Object.create(null) as Record<string, RawValue>
  for (const source of sources)
    for (const [name, value] of source) if (!(name in merged)) merged[name] = value
  return merged
}
