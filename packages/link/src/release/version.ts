// Versions of three numbers, such as 3.1.0.

/** Below 0 when `a` is the older version. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  const at = left.findIndex((part, index) => part !== right[index])
  return at < 0 ? 0 : left[at]! - (right[at] ?? 0)
}
