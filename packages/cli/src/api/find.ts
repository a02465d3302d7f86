// Which operation is meant by the words of a command line; for one that there is not, those that are like it.
import type { ListedOperation } from '@rookery/sdk/operations.ts'
import { UsageError } from './usage-error.ts'

const MOST_SUGGESTIONS = 5

/**
 * Finds the operation of a path behind `/api/v1/`, in the contract's spelling or an alias. Of several on one path the one
 * of `method` is meant, else the only one that knows all the parameters given, else the one that reads.
 */
export function findOperation(
  operations: readonly ListedOperation[],
  path: string,
  names: readonly string[] = [],
  method?: string,
): ListedOperation {
  const wanted = plain(path)
  const found = operations.filter((it) =>
    [it.path, ...it.aliases].some((spelling) => plain(spelling) === wanted),
  )
  if (found.length === 0) throw new UsageError(unknown(path, operations))
  if (method !== undefined) {
    // DELETE paths take POST, too.
    const asked = method.toUpperCase()
    const fits =
      found.find((it) => it.method === asked) ??
      found.find((it) => asked === 'POST' && it.method === 'DELETE')
    if (fits) return fits
    throw new UsageError(`${wanted} takes ${found.map((it) => it.method).join(' or ')}, not ${asked}.`)
  }
  const knowing = found.filter(({ parameters }) =>
    names.every((name) => parameters.some((it) => it.name === name)),
  )
  const candidates = knowing.length > 0 ? knowing : found
  return candidates.find((it) => it.method === 'GET') ?? (candidates[0] as ListedOperation)
}

/** The names most like this one, the likest first; none that is not like it at all. */
export function nearest(name: string, known: readonly string[], most = MOST_SUGGESTIONS): string[] {
  const wanted = name.toLowerCase()
  return [...new Set(known)]
    .map((it) => ({ it, distance: it.includes(wanted) && wanted.length > 2 ? 0 : distance(wanted, it) }))
    .filter(({ it, distance }) => distance <= Math.max(2, Math.min(wanted.length, it.length) / 3))
    .sort((a, b) => a.distance - b.distance || a.it.length - b.it.length || (a.it < b.it ? -1 : 1))
    .slice(0, most)
    .map(({ it }) => it)
}

/** `/api/v1/flock/note/` and `flock/note` are the same. */
const plain = (path: string): string =>
  path
    .replace(/^\/+/, '')
    .replace(/^api\/v1\//, '')
    .replace(/\/+$/, '')

function unknown(path: string, operations: readonly ListedOperation[]): string {
  const near = nearest(plain(path), operations.flatMap((it) => [it.path, ...it.aliases]).map(plain))
  const hint = near.length > 0 ? `Near it:\n${near.map((it) => `  ${it}`).join('\n')}\n` : ''
  return `There is no operation ${JSON.stringify(path.slice(0, 200))}. ${hint}\`rookery api --help\` lists all.`
}

/** Levenshtein's: how many letters must be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= Math.min(a.length, 200); i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
