// The log of every command: JSON lines on stderr, or readable ones on a terminal. Both are without secrets.
import { Writable } from 'node:stream'
import { pino, type Logger } from 'pino'
import { limitOutageLines } from '@rookery/console/db/outage-lines.ts'
import { sourceStack } from './source-stack.ts'

const SECRETS = ['auth_token', 'factory_auth', 'key', 'secret', 'password', 'authorization', 'token']

export function openLog(level: string, isTerminal: boolean): Logger {
  const options = {
    level,
    base: null,
    hooks: limitOutageLines(),
    serializers: { err: serializeError },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
  }
  return isTerminal ? pino(options, readableLines) : pino(options, pino.destination({ fd: 2, sync: false }))
}

function serializeError(error: Error): object {
  const serialized = pino.stdSerializers.err(error)
  return { ...serialized, stack: sourceStack(serialized.stack) }
}

const NAMES: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}

const readableLines = new Writable({
  write(chunk: Buffer, _encoding, done) {
    const { time, level, msg, err, ...rest } = JSON.parse(chunk.toString()) as Record<string, unknown>
    const reason = (err as { message?: string } | undefined)?.message
    const fields = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    const clock = new Date(time as number).toISOString().slice(11, 19)
    const line = `${clock} ${NAMES[level as number] ?? ''}: ${msg as string}${reason === undefined ? '' : `: ${reason}`}${fields.join('')}`
    process.stderr.write(printableLine(line) + '\n', () => done())
  },
})

/** Attackers write some of this text: no escape sequence of theirs may reach the terminal. */
const printableLine = (line: string): string =>
  line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
