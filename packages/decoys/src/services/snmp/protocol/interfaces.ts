// The interfaces of a device (RFC 2863): ifTable, and ifXTable where its agent has it.
import type { Derive } from '../../../machine/draw.ts'
import { draw } from '../../../machine/draw.ts'
import {
  column,
  counter,
  counter64,
  gauge,
  name,
  scalar,
  text,
  ticks,
  whole,
  type ObjectType,
  type Value,
} from './tree.ts'

export interface Interface {
  readonly name: string
  /** ifType: 6 Ethernet, 24 loopback, 23 PPP, 71 wireless, 209 bridge, 94 ADSL and its kin. */
  readonly type: number
  readonly mtu: number
  /** Bits a second. */
  readonly speed: number
  readonly address: Buffer
  readonly isUp: boolean
  /** Bytes a second that it takes in and sends, on the whole. */
  readonly rates: readonly [into: number, out: number]
}

const TABLE = '1.3.6.1.2.1.2'
const X_TABLE = '1.3.6.1.2.1.31.1.1.1'
const PACKET_BYTES = 420
const MAX_32_BITS = 2 ** 32 - 1

export function interfaceObjects(
  interfaces: readonly Interface[],
  bootedAt: number,
  derive: Derive,
  hasX: boolean,
): readonly ObjectType[] {
  const { between } = draw(derive, 'snmp/interfaces')
  const rows = interfaces.map((it, at) => {
    const share = between(70, 130) / 100
    const period = between(3_000, 9_000)
    /** Grows all the time, at some hours faster than at others. */
    const seconds = (now: number): number => {
      const passed = Math.max(0, now - bootedAt) / 1_000
      return it.isUp ? passed + 0.6 * period * (1 - Math.cos(passed / period)) : 0
    }
    const [into, out] = it.rates.map((rate) => (now: number) => Math.floor(rate * share * seconds(now)))
    return { ...it, row: at + 1, into: into!, out: out! }
  })
  type Row = (typeof rows)[number]
  const each = (table: string, number: number, value: (row: Row) => Value): ObjectType =>
    column(
      `${table}.${number}`,
      rows.map((row) => [row.row, value(row)]),
    )
  const packets = (bytes: (now: number) => number, share: number) => (now: number) =>
    (bytes(now) * share) / PACKET_BYTES
  const none = counter(() => 0)
  const inTable = (number: number, value: (row: Row) => Value) => each(`${TABLE}.2.1`, number, value)
  const inX = (number: number, value: (row: Row) => Value) => each(X_TABLE, number, value)
  const objects = [
    scalar(`${TABLE}.1`, whole(rows.length)),
    inTable(1, ({ row }) => whole(row)),
    inTable(2, (it) => text(it.name)),
    inTable(3, ({ type }) => whole(type)),
    inTable(4, ({ mtu }) => whole(mtu)),
    inTable(5, ({ speed }) => gauge(Math.min(speed, MAX_32_BITS))),
    inTable(6, ({ address }) => text(address)),
    ...[7, 8].map((number) => inTable(number, ({ isUp }) => whole(isUp || number === 7 ? 1 : 2))),
    inTable(9, () => ticks(0)),
    inTable(10, ({ into }) => counter(into)),
    inTable(11, ({ into }) => counter(packets(into, 0.96))),
    inTable(12, ({ into }) => counter(packets(into, 0.04))),
    ...[13, 14, 15].map((number) => inTable(number, () => none)),
    inTable(16, ({ out }) => counter(out)),
    inTable(17, ({ out }) => counter(packets(out, 0.99))),
    inTable(18, ({ out }) => counter(packets(out, 0.01))),
    ...[19, 20].map((number) => inTable(number, () => none)),
    inTable(21, () => gauge(0)),
    inTable(22, () => name('0.0')),
  ]
  if (!hasX) return objects
  return [
    ...objects,
    inX(1, (it) => text(it.name)),
    inX(2, ({ into }) => counter(packets(into, 0.03))),
    inX(3, ({ into }) => counter(packets(into, 0.01))),
    inX(4, ({ out }) => counter(packets(out, 0.006))),
    inX(5, ({ out }) => counter(packets(out, 0.004))),
    inX(6, ({ into }) => counter64(into)),
    inX(7, ({ into }) => counter64(packets(into, 0.96))),
    inX(10, ({ out }) => counter64(out)),
    inX(11, ({ out }) => counter64(packets(out, 0.99))),
    inX(14, () => whole(2)),
    inX(15, ({ speed }) => gauge(Math.round(speed / 1e6))),
    inX(16, () => whole(2)),
    inX(17, ({ type }) => whole(type === 6 ? 1 : 2)),
    inX(18, () => text('')),
    inX(19, () => ticks(0)),
  ]
}
