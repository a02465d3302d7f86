// What a request target asks for.
import { segmentsOf, withoutDots } from '../../protocol/dot-segments.ts'

export interface Path {
  /** Without escapes, dots and double slashes. */
  readonly path: string
  readonly query: string | undefined
}

/** Undefined: it is no path. */
export function pathOf(target: string): Path | undefined {
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '').replace(/#[^]*$/, '')
  const at = rest.indexOf('?')
  const [raw, query] = at < 0 ? [rest, undefined] : [rest.slice(0, at), rest.slice(at + 1)]
  const path = resolve(raw || '/')
  return path === undefined ? undefined : { path, query }
}

function resolve(raw: string): string | undefined {
  if (/%(?![\da-f]{2})|%00/i.test(raw)) return undefined
  const text = raw.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return withoutDots(segmentsOf(text))
}
