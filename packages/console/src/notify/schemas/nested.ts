// Dotted names as an object: `source.ip` is `{"source":{"ip":…}}`, and a part that is a number is a place in a list.
type Value = string | number | readonly string[]
type Node = { [name: string]: Node | Value } | (Node | Value)[]

export function nested(
  named: readonly (readonly [name: string, value: Value, ...rest: unknown[]])[],
): object {
  const root: Node = {}
  for (const [name, value] of named) {
    const parts = name.split('.')
    const last = parts.pop() ?? name
    let at = root as Record<string, Node | Value>
    for (const [depth, part] of parts.entries()) {
      const isList = /^\d+$/.test(parts[depth + 1] ?? last)
      at = (at[part] ??= isList ? [] : {}) as Record<string, Node | Value>
    }
    at[last] = value
  }
  return root
}
