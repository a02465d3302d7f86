// MIGRATE: nothing leaves the decoy. Its own machine refuses the connection, any other does not answer in time.
import { isOwnMachine } from '../server/own-machine.ts'
import { ErrorReply, syntaxError, toInteger, upper } from '../arguments.ts'
import { find } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'

const DEFAULT_TIMEOUT_MS = 1_000
const MAX_WAIT_MS = 300_000

/** The keys that MIGRATE names. */
function keysOf({ args }: Call): readonly string[] {
  for (let at = 6; at < args.length; at += 1) {
    const word = upper(args[at])
    const left = args.length - 1 - at
    if (word === 'AUTH' && left >= 1) at += 1
    else if (word === 'AUTH2' && left >= 2) at += 2
    else if (word === 'KEYS') {
      if (args[3] !== '')
        throw new ErrorReply(
          'ERR When using MIGRATE KEYS option, the key argument must be set to the empty string',
        )
      return args.slice(at + 1)
    } else if (word !== 'COPY' && word !== 'REPLACE') throw syntaxError()
  }
  return [args[3]!]
}

export const migrate: Record<string, Command> = {
  migrate: (call) => {
    const keys = keysOf(call)
    const timeoutMs = toInteger(call.args[5])
    toInteger(call.args[4])
    if (!keys.some((key) => find(call, key))) return '+NOKEY\r\n'
    if (isOwnMachine(call.args[1]!)) throw new ErrorReply('IOERR error or timeout writing to target instance')
    if (!call.client.isInTransaction)
      call.client.waitMs = Math.min(timeoutMs > 0 ? timeoutMs : DEFAULT_TIMEOUT_MS, MAX_WAIT_MS)
    throw new ErrorReply('IOERR error or timeout connecting to the client')
  },
}
