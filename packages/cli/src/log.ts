// One log for every command: JSON lines on stderr, or plain ones where a person looks on. Secrets are cut out of both.
import { Writable } from 'node:stream'
import { pino, type Logger } from 'pino'
import { inSources } from './trace.ts'

const SECRETS = ['auth_token', 'factory_auth', 'key', 'secret', 'password', 'authorization', 'token']

export function openLog(level: string, isTerminal: boolean): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: readable },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[cut]' },
  }
  return isTerminal ? pino(options, plainLines) : pino(options, pino.destination({ fd: 2, sync: false }))
}

function readable(error: Error): object {
  const told = pino.stdSerializers.err(error)
  return { ...told, stack: inSources(told.stack) }
}

const NAMES: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
}

const plainLines = new Writable({
  write(chunk: Buffer, _encoding, done) {
    const { time, level, msg, err, ...rest } = JSON.parse(chunk.toString()) as Record<string, unknown>
    const reason = (err as { message?: string } | undefined)?.message
    const more = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    const clock = new Date(time as number).toISOString().slice(11, 19)
    const line = `${clock} ${NAMES[level as number] ?? ''}: ${msg as string}${reason === undefined ? '' : `: ${reason}`}${more.join('')}`
    process.stderr.write(printableLine(line) + '\n', () => done())
  },
})

/** Attackers write what operators read: no escape sequence reaches the terminal. */
export const printableLine = (line: string): string =>
  line.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
