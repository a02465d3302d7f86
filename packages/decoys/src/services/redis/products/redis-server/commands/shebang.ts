// The first line of a script: `#!lua flags=no-writes,allow-oom`.
import { ErrorReply } from '../arguments.ts'

const FLAGS = new Set(['no-writes', 'allow-oom', 'allow-stale', 'no-cluster', 'allow-cross-slot-keys'])

export interface ScriptCode {
  /** The line stays, empty: errors count lines from it. */
  readonly code: string
  readonly mayNotWrite: boolean
}

export function readShebang(script: string): ScriptCode {
  if (!script.startsWith('#!')) return { code: script, mayNotWrite: false }
  const end = script.indexOf('\n')
  if (end < 0) throw new ErrorReply('ERR Invalid script shebang')
  const [engine = '', ...options] = script.slice(0, end).split(/\s+/).filter(Boolean)
  if (engine !== '#!lua') throw new ErrorReply(`ERR Unexpected engine in script shebang: ${engine}`)
  const flags: string[] = []
  for (const option of options) {
    if (!option.startsWith('flags=')) throw new ErrorReply(`ERR Unknown lua shebang option: ${option}`)
    flags.push(...option.slice('flags='.length).split(',').filter(Boolean))
  }
  const unknown = flags.find((flag) => !FLAGS.has(flag))
  if (unknown !== undefined) throw new ErrorReply(`ERR Unexpected flag in script shebang: ${unknown}`)
  return { code: script.slice(end), mayNotWrite: flags.includes('no-writes') }
}
