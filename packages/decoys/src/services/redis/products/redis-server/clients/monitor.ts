// MONITOR: a line for each command that is executed, but those of administration.
import type { Call } from '../model/call.ts'
import type { CommandSpec } from '../command-table/table.ts'
import { escaped } from '../../../../../session/readable.ts'
import { sendTo } from './outbox.ts'

const NAMES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\x07': '\\a',
  '\b': '\\b',
}

const SPECIAL = /[\\"\x00-\x1f\x7f-\xff]+/g
const escape = (c: string): string => NAMES[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`

const quoted = (word: string): string => `"${escaped(word, SPECIAL, escape)}"`

export function feedMonitors({ server, client, args, context, now }: Call, spec: CommandSpec): void {
  if (spec.flags.has('admin') || (spec.flags.has('skip_monitor') && !/^eval/.test(spec.name))) return
  const { src } = context
  const from = client.isInScript ? 'lua' : `${src.host}:${src.port}`
  const micros = String((now % 1000) * 1000 + ((server.counters.commands * 37) % 1000)).padStart(6, '0')
  const words = args.map((word, i) => quoted(isSecret(spec.name, i) ? '(redacted)' : word)).join(' ')
  const line = `+${Math.floor(now / 1000)}.${micros} [${client.db} ${from}] ${words}\r\n`
  for (const monitor of server.monitors) {
    if (monitor === client) client.ownLines += line
    else sendTo(server, monitor, line)
  }
}

const isSecret = (name: string, at: number): boolean => name === 'auth' && at > 0
