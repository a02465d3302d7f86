// Counts of IPv4 addresses. Networks of which a block has many addresses are counted in pages, the others as they come.
import { openScattered } from './scattered.ts'

/** The addresses of a page share all bits but these: 8 KB. */
const PAGE_BITS = 12
const PAGE = 2 ** PAGE_BITS
/** So many addresses of a network in one block are worth a page. */
const DENSE = 32
const MOST_PAGES = 4_096
const CARRY = 2 ** 16

/** Smaller counts, and equal ones of larger addresses, are of no interest. */
export interface Bound {
  n: number
  address: number
}

export interface Ipv4Counts {
  add(address: number, n: number): void
  /** The same for addresses that rise, each with its own count. */
  addRising(addresses: Uint32Array, counts: Uint16Array): void
  /** Tells each address once that is not beyond the bound, with its count; afterwards nothing can be added. */
  each(visit: (address: number, n: number) => void, bound: Readonly<Bound>): void
}

export function openIpv4Counts(): Ipv4Counts {
  const pages = new Map<number, Uint16Array>()
  const scattered = openScattered()
  /** What does not fit a place of a page. */
  const carried = new Map<number, number>()

  function addToPage(page: Uint16Array, address: number, n: number): void {
    const sum = (page[address & (PAGE - 1)] as number) + n
    page[address & (PAGE - 1)] = sum
    if (sum >= CARRY) carried.set(address, (carried.get(address) ?? 0) + sum - (sum % CARRY))
  }

  function pageFor(network: number, addresses: number): Uint16Array | undefined {
    const known = pages.get(network)
    if (known || addresses < DENSE || pages.size >= MOST_PAGES) return known
    const made = new Uint16Array(PAGE)
    pages.set(network, made)
    return made
  }

  function add(address: number, n: number): void {
    const page = pages.get(address >>> PAGE_BITS)
    if (page) addToPage(page, address, n)
    else scattered.add(address, n)
  }

  return {
    add,
    addRising(addresses, counts) {
      for (let from = 0; from < addresses.length;) {
        const network = (addresses[from] as number) >>> PAGE_BITS
        let behind = from
        let counted = 0
        for (; behind < addresses.length; behind++) {
          if ((addresses[behind] as number) >>> PAGE_BITS !== network) break
          if (counts[behind] !== 0) counted++
        }
        const page = pageFor(network, counted)
        for (; from < behind; from++) {
          const n = counts[from] as number
          if (n === 0) continue
          if (page) addToPage(page, addresses[from] as number, n)
          else scattered.add(addresses[from] as number, n)
        }
      }
    },
    each(visit, bound) {
      // Some may have come before their network had a page.
      scattered.each((address, n) => {
        const page = pages.get(address >>> PAGE_BITS)
        if (page) addToPage(page, address, n)
        else visit(address, n)
      })
      // By rising address: among equal counts that is the order in which they are shown.
      const rising = [...pages].sort(([a], [b]) => a - b)
      for (const [network, page] of rising) {
        const first = network * PAGE
        const isCarried = carried.size > 0
        for (let at = 0; at < PAGE; at++) {
          const n = isCarried ? (page[at] as number) + (carried.get(first + at) ?? 0) : (page[at] as number)
          // Asked here, too: a call for each of millions would cost more than all the rest.
          if (n > bound.n || (n === bound.n && first + at <= bound.address)) visit(first + at, n)
        }
      }
    },
  }
}
