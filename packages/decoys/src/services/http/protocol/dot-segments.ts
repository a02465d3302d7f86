// The segments "." and ".." of a path (RFC 3986, 5.2.4).

/** The path of these segments without them; undefined for one that leads above the root. */
export function withoutDots(segments: readonly string[]): string | undefined {
  const kept: string[] = []
  for (const [i, segment] of segments.entries()) {
    if (segment === '..' && kept.pop() === undefined) return undefined
    if (segment !== '.' && segment !== '..') kept.push(segment)
    else if (i === segments.length - 1) kept.push('')
  }
  return `/${kept.join('/')}`
}

/** The segments of a path whose slashes count as one where they follow each other. */
export const segmentsOf = (path: string): readonly string[] =>
  path
    .replace(/\/{2,}/g, '/')
    .slice(1)
    .split('/')
