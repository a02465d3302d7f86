// LCS: the longest common subsequence of two texts, and where its parts stand in both.
import { ErrorReply, syntaxError, toInteger, upper } from '../arguments.ts'
import { find } from '../values/find.ts'
import type { Call, Command } from '../model/call.ts'
import { array, bulk, integer, map, OOM } from '../../../protocol/resp.ts'

const MAX_CELLS = 100_000
const CELLS_A_UNIT = 4

interface Options {
  readonly wants: ReadonlySet<string>
  readonly leastLength: number
}

function readOptions(words: readonly string[]): Options {
  const wants = new Set<string>()
  let leastLength = 0
  for (let at = 0; at < words.length; at += 1) {
    const word = upper(words[at])
    if (/^(IDX|LEN|WITHMATCHLEN)$/.test(word)) wants.add(word)
    else if (word === 'MINMATCHLEN' && at + 1 < words.length)
      leastLength = Math.max(0, toInteger(words[(at += 1)]))
    else throw syntaxError()
  }
  if (wants.has('IDX') && wants.has('LEN'))
    throw new ErrorReply('ERR If you want both the length and indexes, please just use IDX.')
  return { wants, leastLength }
}

/** The last byte of the part in both texts, and its length. */
interface Part {
  readonly ends: readonly [number, number]
  readonly length: number
}

/** Lengths for each pair of prefixes, row by row. */
function lengthsOf(a: string, b: string): Uint32Array {
  const width = b.length + 1
  const cells = new Uint32Array((a.length + 1) * width)
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      cells[i * width + j] =
        a[i - 1] === b[j - 1]
          ? cells[(i - 1) * width + j - 1]! + 1
          : Math.max(cells[(i - 1) * width + j]!, cells[i * width + j - 1]!)
  return cells
}

/** From the end to the beginning, as Redis shows them. */
function partsOf(a: string, b: string, cells: Uint32Array): Part[] {
  const width = b.length + 1
  const parts: Part[] = []
  let [i, j, run] = [a.length, b.length, 0]
  const endRun = (): void => {
    if (run > 0) parts.push({ ends: [i + run - 1, j + run - 1], length: run })
    run = 0
  }
  while (i > 0 && j > 0) {
    if (a[i - 1] === b[j - 1]) {
      ;[i, j, run] = [i - 1, j - 1, run + 1]
      continue
    }
    endRun()
    if (cells[(i - 1) * width + j]! > cells[i * width + j - 1]!) i -= 1
    else j -= 1
  }
  endRun()
  return parts
}

export const lcs: Command = (call: Call) => {
  const entries = call.args.slice(1, 3).map((key) => find(call, key))
  const [a = '', b = ''] = entries.map((entry) => {
    if (entry && entry.type !== 'string')
      throw new ErrorReply('ERR The specified keys must contain string values')
    return entry?.value
  })
  const { wants, leastLength } = readOptions(call.args.slice(3))
  if (a.length * b.length > MAX_CELLS) return OOM
  call.work.spend((a.length * b.length) / CELLS_A_UNIT)
  const cells = lengthsOf(a, b)
  const length = cells.at(-1)!
  if (wants.has('LEN')) return integer(length)
  const parts = partsOf(a, b, cells)
  if (!wants.has('IDX'))
    return bulk(
      parts
        .map(({ ends: [end], length }) => a.slice(end - length + 1, end + 1))
        .reverse()
        .join(''),
    )
  const shown = parts.filter((part) => part.length >= leastLength)
  const matches = shown.map(({ ends, length }) =>
    array([
      ...ends.map((end) => array([integer(end - length + 1), integer(end)])),
      ...(wants.has('WITHMATCHLEN') ? [integer(length)] : []),
    ]),
  )
  return map([bulk('matches'), array(matches), bulk('len'), integer(length)], call.client.resp)
}
