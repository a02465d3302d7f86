// The request line as HTTP.sys reads it.
import type { RequestHead } from '../../protocol/request.ts'
import type { HttpSysError } from './http-sys.ts'
import { pathOf } from './target.ts'

export type RequestLine = Pick<RequestHead, 'method' | 'target' | 'version'>

const MAX_VERB_CHARACTERS = 255

/** `line` is without its line end. */
export function readRequestLine(line: string): RequestLine | HttpSysError {
  const [, method = '', blanks = '', rest = ''] = /^([!#$%&'*+.^_`|~\dA-Za-z-]*)( *)([^]*)$/.exec(line) ?? []
  if (method === '' || blanks === '' || method.length > MAX_VERB_CHARACTERS) return 'verb'
  const [, target = '', behind = ''] = /^([^ ]*) *([^]*)$/.exec(rest) ?? []
  const isTarget = /^(?:\/|https?:\/\/[^/]|\*$)/i.test(target)
  if (!isTarget || /[\x00-\x1f\x7f]/.test(target) || (target === '*' && method !== 'OPTIONS')) return 'url'
  if (target !== '*' && pathOf(target) === undefined) return 'url'
  if (behind === '') return method === 'GET' ? { method, target, version: '0.9' } : 'bad-request'
  const [, major, minor] = /^HTTP\/(\d+)\.(\d+) *$/.exec(behind) ?? []
  if (major === undefined || Number(major) === 0) return 'bad-request'
  if (Number(major) > 1) return 'version'
  return { method, target, version: Number(minor) === 0 ? '1.0' : '1.1' }
}
