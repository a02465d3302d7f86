// Addresses from which traffic leaves the Tor network, as the Tor Project lists them: an address a line, or the lines
// `ExitAddress` of its exit lists.
import { readFile, stat } from 'node:fs/promises'
import { limit } from '@rookery/kernel/limit.ts'
import { openAddressSet, readAddress, type AddressSet } from '../../addresses/address-set.ts'

export interface TorExits {
  readonly addresses: Pick<AddressSet, 'has'>
  readonly count: number
}

/** There are some 3,000. */
const EXITS = limit('tor_exits', 100_000)
const MAX_BYTES = 16_777_216
/** Keywords of an exit list, and comments. */
const OTHER_LINES = /^(#|@|ExitNode |Published |LastStatus |Downloaded |$)/

/** Rejects with an error that ends a sentence about the file. */
export async function loadTorExits(path: string): Promise<TorExits> {
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`has ${size} bytes; a list of Tor exits has at most ${MAX_BYTES}`)
  return readTorExits(await readFile(path, 'utf8'))
}

/** Throws for a line that is neither an address nor of an exit list, and for a text without any address. */
export function readTorExits(text: string): TorExits {
  const addresses = openAddressSet()
  let count = 0
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim()
    if (OTHER_LINES.test(trimmed)) continue
    const [first = '', second = ''] = trimmed.split(/\s+/)
    const start = readAddress(first === 'ExitAddress' ? second : first)
    if (start === undefined)
      throw new Error(
        `has in line ${index + 1} ${JSON.stringify(trimmed.slice(0, 80))}, which is no IP address`,
      )
    if (count === EXITS.max) {
      EXITS.hit()
      break
    }
    addresses.add({ start, prefix: typeof start === 'number' ? 32 : 128 })
    count++
  }
  if (count === 0) throw new Error('has no IP address')
  return { addresses, count }
}
