// Pops that wait: an answer at once if there is an element, else once another connection has pushed one.
import { block } from '../clients/blocked.ts'
import { ErrorReply, upper, syntaxError } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { parseDouble } from '../../../protocol/numbers.ts'
import { array, bulk, nilArray } from '../../../protocol/resp.ts'
import { lists, popMany as popFromLists } from './lists.ts'
import { popMany as popFromZsets, sortedSets } from './sorted-sets.ts'

function timeoutMs(text: string | undefined): number {
  const seconds = parseDouble(text ?? '')
  if (text === undefined || /^$|^\s|\0/.test(text) || Number.isNaN(seconds))
    throw new ErrorReply('ERR timeout is not a float or out of range')
  // A very long one overflows to a negative one.
  if (seconds < 0 || seconds * 1000 >= 2 ** 63) throw new ErrorReply('ERR timeout is negative')
  return Math.ceil(seconds * 1000)
}

const wait = (call: Call, ms: number, timeoutReply: string): string => block(call, { ms, timeoutReply })

const isNothing = (reply: string): boolean => /^(\$-1|_|\*-1|\*0)\r\n$/.test(reply)

/** BLPOP and its kin: the first key with an element; `show` makes the reply. */
const popFirst =
  (pop: Command, show: (key: string, reply: string) => string): Command =>
  (call) => {
    const ms = timeoutMs(call.args.at(-1))
    for (const key of call.args.slice(1, -1)) {
      const reply = pop({ ...call, args: ['', key] })
      if (!isNothing(reply)) return show(key, reply)
    }
    return wait(call, ms, nilArray(call.client.resp))
  }

const pair = (key: string, reply: string): string => array([bulk(key), reply])
/** `*2 member score` becomes `*3 key member score`. */
const triple = (key: string, reply: string): string => `*3\r\n${bulk(key)}${reply.replace(/^\*\d+\r\n/, '')}`

const popMany =
  (pop: (call: Call, words: readonly string[], check: () => void) => string | undefined): Command =>
  (call) => {
    const words = call.args.slice(2)
    const popped = pop(call, words, () => timeoutMs(call.args[1]))
    return popped ?? wait(call, timeoutMs(call.args[1]), nilArray(call.client.resp))
  }

function move(call: Call, words: readonly string[], timeout: string | undefined): string {
  const ms = timeoutMs(timeout)
  const reply = lists['lmove']!({ ...call, args: ['lmove', ...words] })
  return isNothing(reply) ? wait(call, ms, nilArray(call.client.resp)) : reply
}

export const blocking: Record<string, Command> = {
  blpop: popFirst(lists['lpop']!, pair),
  brpop: popFirst(lists['rpop']!, pair),
  bzpopmin: popFirst(sortedSets['zpopmin']!, triple),
  bzpopmax: popFirst(sortedSets['zpopmax']!, triple),
  blmpop: popMany(popFromLists),
  bzmpop: popMany(popFromZsets),
  brpoplpush: (call) => move(call, [call.args[1]!, call.args[2]!, 'RIGHT', 'LEFT'], call.args[3]),
  blmove: (call) => {
    for (const side of call.args.slice(3, 5)) if (!/^(LEFT|RIGHT)$/.test(upper(side))) throw syntaxError()
    return move(call, call.args.slice(1, 5), call.args[5])
  },
}
