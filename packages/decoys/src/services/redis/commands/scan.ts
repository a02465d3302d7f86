// The reply that the SCAN commands of collections share.
import { ErrorReply, type Call } from '../call.ts'
import { globMatches } from '../glob.ts'
import { array, bulk, bulks } from '../resp.ts'

/** The reply of HSCAN, SSCAN and ZSCAN: all matching elements at once, with the cursor 0. */
export function scanReply(call: Call, pairs: Iterable<readonly string[]>): string {
  if (!/^\d{1,20}$/.test(call.args[2]!)) throw new ErrorReply('ERR invalid cursor')
  const at = call.args.findIndex((word, i) => i > 2 && word.toUpperCase() === 'MATCH')
  const pattern = at > 0 ? (call.args[at + 1] ?? '*') : '*'
  const kept = [...pairs].filter(([name = '']) => globMatches(pattern, name)).flat()
  return array([bulk('0'), bulks(kept)])
}
