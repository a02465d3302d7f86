// Finds the keys among the words of a command, by its key specifications (COMMAND INFO, "key specifications").
import type { CommandSpec, KeySpec } from './table.ts'

export interface FoundKey {
  readonly key: string
  readonly flags: readonly string[]
}

/** Keys with their flags; undefined when the words do not hold them. */
export function findKeys(spec: CommandSpec, words: readonly string[]): FoundKey[] | undefined {
  if (spec.name === 'sort') return sortKeys(spec, words)
  const found: FoundKey[] = []
  for (const keySpec of spec.keySpecs) {
    const begin = beginOf(keySpec, words)
    if (begin === undefined) continue
    const positions = positionsFrom(begin, keySpec, words)
    if (!positions) return undefined
    const flags = flagsOf(spec, keySpec, words)
    for (const at of positions) {
      const key = words[at]
      if (key === undefined) return undefined
      found.push({ key, flags })
    }
  }
  return found.length > 0 ? found : undefined
}

function beginOf(
  { begin: [type, word = '', from = ''] }: KeySpec,
  words: readonly string[],
): number | undefined {
  if (type === 'index') return Number(word)
  if (type !== 'keyword') return undefined
  const start = Number(from)
  const isWord = (text: string, at: number): boolean =>
    text.toUpperCase() === word && (start < 0 ? at <= words.length + start : at >= start)
  const at = start < 0 ? words.findLastIndex(isWord) : words.findIndex(isWord)
  return at < 0 ? undefined : at + 1
}

function positionsFrom(
  begin: number,
  { find: [type, ...numbers] }: KeySpec,
  words: readonly string[],
): number[] | undefined {
  const [a = 0, b = 0, c = 0] = numbers.map(Number)
  if (type === 'keynum') {
    const count = words[begin + a] ?? ''
    if (!/^(0|[1-9]\d{0,8})$/.test(count) || begin + b + Number(count) > words.length) return undefined
    return Array.from({ length: Number(count) }, (_, i) => begin + b + i * c)
  }
  const behind = words.length - begin
  const last = a >= 0 ? begin + a : c === 0 ? words.length + a : begin + Math.floor(behind / c) + a
  const found: number[] = []
  for (let at = begin; at <= last; at += b) found.push(at)
  return found
}

/** SET reads the key with GET only, and BITFIELD writes it with SET or INCRBY only. */
function flagsOf({ name }: CommandSpec, { flags }: KeySpec, words: readonly string[]): readonly string[] {
  const has = (pattern: RegExp): boolean => words.slice(2).some((word) => pattern.test(word))
  if (name === 'set') return has(/^get$/i) ? ['RW', 'access', 'update'] : ['OW', 'update']
  if (name === 'bitfield') return has(/^(set|incrby)$/i) ? ['RW', 'access', 'update'] : ['RO', 'access']
  return flags
}

function sortKeys(spec: CommandSpec, words: readonly string[]): FoundKey[] {
  const found: FoundKey[] = [{ key: words[1]!, flags: spec.keySpecs[0]!.flags }]
  const store = words.findLastIndex((word, at) => at > 1 && word.toUpperCase() === 'STORE')
  if (store > 0 && words[store + 1] !== undefined)
    found.push({ key: words[store + 1]!, flags: ['OW', 'update'] })
  return found
}
