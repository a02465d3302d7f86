// SLOWLOG: the commands that took longer than slowlog-log-slower-than.
import { ErrorReply, parseInteger, wrongSubcommand } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, bulks, integer, OK } from '../../../protocol/resp.ts'

const MAX_ENTRIES = 128
const MAX_WORDS = 32
const MAX_WORD_LENGTH = 128
/** What a small command takes on the machine that the decoy claims. */
const MICROSECONDS = 4

/** Notes the command if its time is over the limit. */
export function noteSlow({ server, client, now, args }: Call): void {
  const limit = Number(server.config.get('slowlog-log-slower-than'))
  if (limit < 0 || limit > MICROSECONDS) return
  const { src } = client.context
  const most = Math.min(MAX_ENTRIES, Number(server.config.get('slowlog-max-len')))
  const id = server.slowEntries++
  const entry = { id, at: now, microseconds: MICROSECONDS, words: shortened(args), name: client.name }
  server.slowLog = [{ ...entry, address: `${src.host}:${src.port}` }, ...server.slowLog].slice(0, most)
}

function shortened(args: readonly string[]): string[] {
  const shown = args.length > MAX_WORDS ? args.slice(0, MAX_WORDS - 1) : args
  const words = shown.map((word) =>
    word.length > MAX_WORD_LENGTH
      ? `${word.slice(0, MAX_WORD_LENGTH)}... (${word.length - MAX_WORD_LENGTH} more bytes)`
      : word,
  )
  return args.length > MAX_WORDS ? [...words, `... (${args.length - MAX_WORDS + 1} more arguments)`] : words
}

export const slowlog: Record<string, Command> = {
  'slowlog|get': (call) => {
    const { args, server } = call
    if (args.length > 3) throw wrongSubcommand(call)
    const count = args[2] === undefined ? 10 : parseInteger(args[2])
    if (count === undefined || count < -1)
      throw new ErrorReply('ERR count should be greater than or equal to -1')
    const shown = count === -1 ? server.slowLog : server.slowLog.slice(0, count)
    return array(
      shown.map(({ id, at, microseconds, words, address, name }) =>
        array([
          ...[integer(id), integer(Math.floor(at / 1000)), integer(microseconds)],
          ...[bulks(words), bulk(address), bulk(name)],
        ]),
      ),
    )
  },
  'slowlog|len': ({ server }) => integer(server.slowLog.length),
  'slowlog|reset': ({ server }) => {
    server.slowLog = []
    return OK
  },
}
