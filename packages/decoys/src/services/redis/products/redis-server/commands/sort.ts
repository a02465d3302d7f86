// SORT and SORT_RO: lists, sets and sorted sets by number, by text, or by the values of other keys.
import { countChanges, find, put, remove } from '../values/find.ts'
import { ErrorReply, syntaxError, toInteger, upper, wrongType } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { parseDouble } from '../../../protocol/numbers.ts'
import { array, bulk, integer, nil } from '../../../protocol/resp.ts'

const CHARACTERS_A_UNIT = 4
/** Of an element that is put in its place. */
const SORT_WORK = 16

interface SortOptions {
  by: string | undefined
  readonly gets: string[]
  limit: readonly [offset: number, count: number] | undefined
  isDescending: boolean
  isAlphabetic: boolean
  store: string | undefined
}

function optionsFrom(words: readonly string[], mayStore: boolean): SortOptions {
  const found: SortOptions = {
    by: undefined,
    gets: [],
    limit: undefined,
    isDescending: false,
    isAlphabetic: false,
    store: undefined,
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    const left = words.length - at - 1
    if (word === 'ASC') found.isDescending = false
    else if (word === 'DESC') found.isDescending = true
    else if (word === 'ALPHA') found.isAlphabetic = true
    else if (word === 'LIMIT' && left >= 2) {
      found.limit = [toInteger(words[at + 1]), toInteger(words[at + 2])]
      at += 2
    } else if (word === 'STORE' && left >= 1 && mayStore) found.store = words[(at += 1)]
    else if (word === 'BY' && left >= 1) found.by = words[(at += 1)]
    else if (word === 'GET' && left >= 1) found.gets.push(words[(at += 1)]!)
    else throw syntaxError()
  }
  return found
}

function elements(call: Call): string[] {
  const entry = find(call, call.args[1]!)
  switch (entry?.type) {
    case undefined:
      return []
    case 'list':
    case 'set':
      return [...entry.value]
    case 'zset':
      return [...entry.value].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([member]) => member)
    default:
      throw wrongType()
  }
}

/** The value that a pattern such as `weight_*` or `user_*->age` names. */
function lookUp(call: Call, pattern: string, element: string): string | undefined {
  call.work.spend((pattern.length + element.length) / CHARACTERS_A_UNIT)
  if (pattern === '#') return element
  if (!pattern.includes('*')) return undefined
  const [key = '', field] = pattern.split('->')
  const entry = find(call, key.replace('*', element))
  if (field) return entry?.type === 'hash' ? entry.value.get(field) : undefined
  return entry?.type === 'string' ? entry.value : undefined
}

function sortedElements(call: Call, { by, isAlphabetic, isDescending }: SortOptions): string[] {
  const found = elements(call)
  call.work.spend(found.length * SORT_WORK)
  // What `by` and `get` name is found, but not looked through.
  call.server.weighs = false
  if (by !== undefined && !by.includes('*')) return found
  const weighed = found.map((element) => {
    const weight = by === undefined ? element : lookUp(call, by, element)
    return { element, weight, number: isAlphabetic ? 0 : parseDouble(weight ?? '') }
  })
  if (weighed.some(({ number }) => Number.isNaN(number)))
    throw new ErrorReply("ERR One or more scores can't be converted into double")
  const compareText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0)
  const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
  const sign = isDescending ? -1 : 1
  return weighed
    .sort((a, b) => {
      const order = isAlphabetic ? compareText(a.weight, b.weight) : compareNumbers(a.number, b.number)
      return sign * (order || compareText(a.element, b.element))
    })
    .map(({ element }) => element)
}

const sort =
  (mayStore: boolean): Command =>
  (call) => {
    const options = optionsFrom(call.args.slice(2), mayStore)
    const all = sortedElements(call, options)
    const [offset, count] = options.limit ?? [0, -1]
    const from = Math.max(0, offset)
    const chosen = all.slice(from, count < 0 ? undefined : from + count)
    const { gets, store } = options
    const shown = chosen.flatMap((element) =>
      gets.length === 0 ? [element] : gets.map((pattern) => lookUp(call, pattern, element)),
    )
    countChanges(call, 0)
    if (store === undefined)
      return array(shown.map((text) => (text === undefined ? nil(call.client.resp) : bulk(text))))
    const isRemoved = remove(call, store)
    countChanges(call, shown.length || (isRemoved ? 1 : 0))
    if (shown.length > 0) {
      call.server.keyspace.addBytes(shown.map((text = '') => text))
      put(call, store, { type: 'list', value: shown.map((text = '') => text) })
    }
    return integer(shown.length)
  }

export const sorting: Record<string, Command> = { sort: sort(true), sort_ro: sort(false) }
