// Which tables a statement reads from end to end, as each engine's plan tells.

/** SQLite's plan (`EXPLAIN QUERY PLAN`), which without statistics does not depend on how many rows there are. */
export function sqliteScans(details: readonly string[]): string[] {
  // What is no table: rows of the query's own, and JSON.
  const own = new Set(details.flatMap((it) => /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(it)?.[1] ?? []))
  return details.flatMap((detail) => {
    const [, name] = /^SCAN (\S+)/.exec(detail) ?? []
    const isTable =
      name !== undefined &&
      !own.has(name) &&
      name !== 'CONSTANT' &&
      !/VIRTUAL TABLE|CONSTANT ROW/.test(detail)
    return isTable ? [name] : []
  })
}

/** A node of PostgreSQL's plan (`EXPLAIN (FORMAT JSON)`). */
export interface PlanNode {
  readonly 'Node Type': string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

/** A walk over an index that ends at a limit, and passes over nothing, is none. */
export function postgresScans(node: PlanNode, above?: PlanNode): string[] {
  const type = node['Node Type']
  const isWalk = /^(Index|Index Only|Bitmap Index) Scan$/.test(type) && node['Index Cond'] === undefined
  const isBounded = above?.['Node Type'] === 'Limit' && node.Filter === undefined
  const reads = type === 'Seq Scan' || (isWalk && !isBounded)
  // PostgreSQL numbers names that a statement has several times.
  const own = reads ? [(node.Alias ?? node['Index Name'] ?? type).replace(/_\d+$/, '')] : []
  return [...own, ...(node.Plans ?? []).flatMap((below) => postgresScans(below, node))]
}
