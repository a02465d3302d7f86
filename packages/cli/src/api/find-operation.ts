// The operation that a command line names.
import type { ListedOperation } from '@rookery/sdk/operations.ts'
import { suggest } from '@rookery/kernel/suggest.ts'
import { UsageError } from './usage-error.ts'

/**
 * Finds the operation of a path behind `/api/v1/`, in the contract's spelling or an alias. Several operations can share
 * a path. Then `method` decides, or else the parameters given, and GET comes first.
 */
export function findOperation(
  operations: readonly ListedOperation[],
  path: string,
  names: readonly string[] = [],
  method?: string,
): ListedOperation {
  const asked = normalizePath(path)
  const found = operations.filter((it) =>
    [it.path, ...it.aliases].some((spelling) => normalizePath(spelling) === asked),
  )
  if (found.length === 0) throw new UsageError(unknownPath(path, operations))
  if (method !== undefined) return withMethod(found, asked, method.toUpperCase())
  const fitting = found.filter(({ parameters }) =>
    names.every((name) => parameters.some((it) => it.name === name)),
  )
  const candidates = fitting.length > 0 ? fitting : found
  return candidates.find((it) => it.method === 'GET') ?? (candidates[0] as ListedOperation)
}

function withMethod(found: readonly ListedOperation[], path: string, method: string): ListedOperation {
  // The console takes POST on DELETE paths, too.
  const operation =
    found.find((it) => it.method === method) ??
    found.find((it) => method === 'POST' && it.method === 'DELETE')
  if (operation) return operation
  throw new UsageError(`${path} takes ${found.map((it) => it.method).join(' or ')}, not ${method}.`)
}

/** `/api/v1/flock/note/` and `flock/note` are the same. */
const normalizePath = (path: string): string =>
  path
    .replace(/^\/+/, '')
    .replace(/^api\/v1\//, '')
    .replace(/\/+$/, '')

function unknownPath(path: string, operations: readonly ListedOperation[]): string {
  const known = operations.flatMap((it) => [it.path, ...it.aliases]).map(normalizePath)
  const similar = suggest(normalizePath(path), known)
  const hint = similar.length > 0 ? `Similar:\n${similar.map((it) => `  ${it}`).join('\n')}\n` : ''
  return `There is no operation ${JSON.stringify(path.slice(0, 200))}. ${hint}\`rookery api --help\` lists all.`
}
