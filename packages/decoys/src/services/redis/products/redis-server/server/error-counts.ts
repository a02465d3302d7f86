// INFO errorstats: how often each code was answered, and all errors together.
import { ErrorReply } from '../arguments.ts'
import type { Call } from '../model/call.ts'

const MAX_CODES = 128

export function countError({ server: { errors, counters } }: Pick<Call, 'server'>, message: string): void {
  const [code = ''] = message.split(' ', 1)
  counters.errorReplies += 1
  if (errors.has(code) || errors.size < MAX_CODES) errors.set(code, (errors.get(code) ?? 0) + 1)
}

/** An error that was counted when a script got it. */
export class CountedErrorReply extends ErrorReply {}
