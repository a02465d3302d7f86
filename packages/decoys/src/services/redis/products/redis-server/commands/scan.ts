// What the SCAN commands share: the cursor, the options, and the reply.
import { ErrorReply, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call } from '../model/call.ts'
import { globOf } from '../../../protocol/glob.ts'
import { array, bulk, bulks } from '../../../protocol/resp.ts'

/** As C's `strtoul` reads it. */
export function checkCursor(text: string): void {
  const [digits = ''] = text.split('\0', 1)
  if (digits === '') return
  const [, number] = /^[+-]?0*(\d{1,20})$/.exec(digits) ?? []
  const isNumber = number !== undefined && BigInt(number) < 2n ** 64n
  if (!isNumber) throw new ErrorReply('ERR invalid cursor')
}

/**
 * The reply of HSCAN, SSCAN and ZSCAN: all matching elements at once, with the cursor 0. `pairs` finds them, or throws
 * that the key has another type.
 */
export function scanReply(call: Call, pairs: () => Iterable<readonly string[]> | undefined): string {
  checkCursor(call.args[2]!)
  const all = pairs()
  if (!all) return array([bulk('0'), bulks([])])
  let pattern = '*'
  for (let at = 3; at < call.args.length; at += 2) {
    const [word, value] = [upper(call.args[at]), call.args[at + 1]]
    if (value === undefined) throw syntaxError()
    if (word === 'COUNT') {
      if (toInteger(value) < 1) throw syntaxError()
    } else if (word === 'MATCH') pattern = value
    else throw syntaxError()
  }
  const matches = globOf(pattern, call.work.spend)
  const kept = [...all].filter(([name = '']) => matches(name)).flat()
  return array([bulk('0'), bulks(kept)])
}
