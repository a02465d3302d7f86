// HyperLogLogs: strings that count elements.
import { countChanges, find, peek, put } from '../values/find.ts'
import { ErrorReply, wrongType } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import {
  addElement,
  cachedCount,
  countOf,
  isDense,
  isHyperLogLog,
  newRegisters,
  readRegisters,
  withCount,
  writeRegisters,
  type Registers,
} from '../values/hyperloglog.ts'
import { integer, OK } from '../../../protocol/resp.ts'

/** To read or to write all registers, and to hash an element. */
const REGISTERS_WORK = 8_000
const ELEMENT_WORK = 30

/** The text of the key; undefined when there is none. */
function findText(call: Call, key: string): string | undefined {
  const entry = find(call, key)
  if (!entry) return undefined
  if (entry.type !== 'string') throw wrongType()
  if (!isHyperLogLog(entry.value))
    throw new ErrorReply('WRONGTYPE Key is not a valid HyperLogLog string value.')
  return entry.value
}

function registersOf({ work }: Call, text: string): Registers {
  work.spend(REGISTERS_WORK)
  const registers = readRegisters(text)
  if (!registers) throw new ErrorReply('INVALIDOBJ Corrupted HLL object detected')
  return registers
}

const write = (call: Call, key: string, value: string): void =>
  put(call, key, { type: 'string', value, isRaw: true, expiresAt: peek(call, key)?.expiresAt })

function merge(call: Call, texts: readonly (string | undefined)[]): Registers {
  const all = newRegisters()
  for (const text of texts)
    if (text !== undefined) registersOf(call, text).forEach((value, i) => (all[i] = Math.max(all[i]!, value)))
  return all
}

export const hyperloglogs: Record<string, Command> = {
  pfadd: (call) => {
    const [, key = '', ...elements] = call.args
    const text = findText(call, key)
    for (const { length } of elements) call.work.spend(ELEMENT_WORK + length)
    call.work.spend(REGISTERS_WORK)
    const registers = text === undefined ? newRegisters() : registersOf(call, text)
    const added = elements.filter((element) => addElement(registers, element)).length
    countChanges(call, added + (text === undefined ? 1 : 0))
    if (text !== undefined && added === 0) return integer(0)
    write(call, key, writeRegisters(registers, text !== undefined && isDense(text)))
    return integer(1)
  },
  pfcount: (call) => {
    const keys = call.args.slice(1)
    const texts = keys.map((key) => findText(call, key))
    const [text] = texts
    if (keys.length > 1) return integer(countOf(merge(call, texts)))
    if (text === undefined) return integer(0)
    const cached = cachedCount(text)
    if (cached !== undefined) return integer(cached)
    const count = countOf(registersOf(call, text))
    write(call, keys[0]!, withCount(text, count))
    countChanges(call, 1)
    return integer(count)
  },
  pfmerge: (call) => {
    const [, to = ''] = call.args
    const texts = call.args.slice(1).map((key) => findText(call, key))
    const isAnyDense = texts.some((text) => text !== undefined && isDense(text))
    write(call, to, writeRegisters(merge(call, texts), isAnyDense))
    return OK
  },
}
