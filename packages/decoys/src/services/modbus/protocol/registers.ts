// What a controller holds: 64 K of each kind of register, as a function of the Bird and the time, and what was written since.
import { limit } from '@rookery/kernel/limit.ts'

/** What intruders have written into one Modbus decoy: registers and coils; a new one takes the place of the oldest. */
const WRITTEN = limit('decoy_modbus_writes', 4_096)

export type Bank = 'coils' | 'discrete' | 'holding' | 'input'

export const ADDRESSES = 65_536

export interface Registers {
  /** 0 to 65,535; of coils and discrete inputs 0 or 1. `seed` belongs to the Bird. */
  readonly read: (bank: Bank, address: number, seed: number, now: number) => number
  readonly write: (bank: 'coils' | 'holding', address: number, value: number) => void
  readonly written: () => number
}

export function newRegisters(): Registers {
  const written = new Map<string, number>()
  return {
    read: (bank, address, seed, now) =>
      written.get(`${bank} ${address}`) ?? measured(bank, address, seed, now),
    write(bank, address, value) {
      const key = `${bank} ${address}`
      if (!written.has(key) && written.size >= WRITTEN.max) {
        WRITTEN.hit()
        for (const oldest of written.keys()) {
          written.delete(oldest)
          break
        }
      }
      written.set(key, value)
    },
    written: () => written.size,
  }
}

const BANKS: Readonly<Record<Bank, number>> = { coils: 1, discrete: 2, holding: 3, input: 4 }
/** Beyond them a program has few. */
const USED = 400

/** A number of 32 bits that looks drawn, alike for the same two. */
function mixed(a: number, b: number): number {
  let x = (a ^ Math.imul(b + 1, 0x9e37_79b1)) >>> 0
  x = Math.imul(x ^ (x >>> 16), 0x85eb_ca6b) >>> 0
  x = Math.imul(x ^ (x >>> 13), 0xc2b2_ae35) >>> 0
  return (x ^ (x >>> 16)) >>> 0
}

/** In ten kinds: nothing, set points, temperatures that drift, counters that count, words of status. */
function measured(bank: Bank, address: number, seed: number, now: number): number {
  const drawn = mixed(seed ^ (BANKS[bank] << 28), address)
  const kind = drawn % 10
  const detail = drawn >>> 8
  const seconds = Math.floor(now / 1_000)
  if (bank === 'coils' || bank === 'discrete') {
    if (address >= USED || kind < 6) return 0
    return kind < 9 ? 1 : Math.floor(seconds / (20 + (detail % 600))) % 2
  }
  if (kind < 4 || (address >= USED && kind < 9)) return 0
  if (kind < 6) return 50 * (1 + (detail % 60))
  if (kind < 8) return drifting(detail, seconds)
  if (kind === 8) return Math.floor(seconds / (1 + (detail % 90)) + detail) % 65_536
  return detail & 0x00ff
}

/** In tenths of a degree, by some degrees around its mean within hours, and by tenths within minutes. */
function drifting(detail: number, seconds: number): number {
  const mean = 180 + (detail % 500)
  const slow = Math.sin(seconds / (2_400 + (detail % 5_000)) + detail)
  const fast = Math.sin(seconds / (31 + (detail % 60)) + detail / 7)
  return Math.round(mean + 35 * slow + 2 * fast)
}
