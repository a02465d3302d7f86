// The interfaces of a VDSL gateway, and the counters of its ip group that stay at 0.
import { LAN, LINE, SESSION } from '../../../machine/gateway.ts'

/** Name, ifType, MTU, bits a second (0: down), and the shares of the line's bytes that it takes in and sends. */
export const INTERFACES: readonly (readonly [string, number, number, number, number, number])[] = [
  ['lo', 24, 65_536, 10_000_000, 0.0002, 0.0002],
  ['eth0.1', 6, 1_500, 1_000_000_000, 0.11, 0.5],
  ['eth0.2', 6, 1_500, 1_000_000_000, 0.03, 0.12],
  ['eth0.3', 6, 1_500, 0, 0, 0],
  ['eth0.4', 6, 1_500, 0, 0, 0],
  [LINE, 94, 1_500, 50_000_000, 1, 0.14],
  [SESSION, 23, 1_492, 50_000_000, 1, 0.14],
  ['ra0', 6, 1_500, 300_000_000, 0.08, 0.33],
  [LAN, 209, 1_500, 1_000_000_000, 0.16, 1],
]
/** Of those that have no address. */
export const WITHOUT_ADDRESS: ReadonlySet<string> = new Set(['lo', SESSION])

/** Columns of the ip group that count, with their share of the line's datagrams. */
export const COUNTING: readonly (readonly [number, number])[] = [
  [3, 1.4],
  [6, 1.1],
  [8, 0.0004],
  [9, 0.2],
  [10, 0.15],
]
export const STILL: readonly number[] = [4, 5, 7, 11, 12, 14, 15, 16, 17, 18, 19, 23]
