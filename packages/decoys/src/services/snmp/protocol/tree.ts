// The objects that an agent shows, in the order of their names.
import { compareOids, element, encodeOid, integer, oid, octets, TAG, type Oid } from './ber.ts'

/** What an object says is made as it is asked for: `now` in milliseconds UTC. */
export type Value = (now: number) => Buffer

export interface Instance {
  readonly oid: Oid
  readonly value: Value
}

export interface Tree {
  /** Of an object that is there. */
  readonly get: (name: Oid) => Instance | undefined
  /** The first behind it. */
  readonly next: (name: Oid) => Instance | undefined
  /** It lies below an object that has other instances, or none. */
  readonly isBelowObject: (name: Oid) => boolean
  readonly size: number
}

/** An object with its instances: a scalar's is `0`. */
export interface ObjectType {
  readonly name: string
  readonly instances: readonly (readonly [index: string, value: Value])[]
}

export const scalar = (name: string, value: Value): ObjectType => ({ name, instances: [['0', value]] })

export const column = (
  name: string,
  values: readonly (readonly [index: string | number, value: Value])[],
): ObjectType => ({
  name,
  instances: values.map(([index, value]) => [String(index), value]),
})

export function treeOf(objects: readonly ObjectType[]): Tree {
  const instances = objects
    .flatMap(({ name, instances }) =>
      instances.map(([index, value]): Instance => ({ oid: oid(`${name}.${index}`), value })),
    )
    .sort((a, b) => compareOids(a.oid, b.oid))
  const names = new Set(objects.map(({ name }) => oid(name).join('.')))
  const longest = Math.max(...objects.map(({ name }) => name.split('.').length - 1))

  /** The place of the first that is not before it. */
  function placeOf(name: Oid): number {
    let [from, to] = [0, instances.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (compareOids(instances[middle]!.oid, name) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  return {
    get(name) {
      const found = instances[placeOf(name)]
      return found && compareOids(found.oid, name) === 0 ? found : undefined
    },
    next(name) {
      const place = placeOf(name)
      const found = instances[place]
      return found && compareOids(found.oid, name) === 0 ? instances[place + 1] : found
    },
    isBelowObject(name) {
      for (let length = Math.min(name.length, longest); length > 0; length -= 1)
        if (names.has(name.slice(0, length).join('.'))) return true
      return false
    },
    size: instances.length,
  }
}

const always =
  (bytes: Buffer): Value =>
  () =>
    bytes

export const text = (value: string | Buffer): Value => always(octets(value))
export const whole = (value: number): Value => always(integer(value))
export const name = (value: string): Value => always(encodeOid(oid(value)))
export const gauge = (value: number): Value => always(integer(value, TAG.gauge32))
export const address = (value: readonly number[]): Value => always(element(TAG.address, Buffer.from(value)))

const WORD = 2 ** 32

/** Hundredths of a second since then. */
export const ticksSince =
  (from: number): Value =>
  (now) =>
    integer(Math.floor(Math.max(0, now - from) / 10) % WORD, TAG.ticks)
export const ticks = (value: number): Value => always(integer(value, TAG.ticks))

export const counter =
  (count: (now: number) => number): Value =>
  (now) =>
    integer(Math.floor(count(now)) % WORD, TAG.counter32)

/** Of 64 bits; no count here comes near 2 ** 47. */
export const counter64 =
  (count: (now: number) => number): Value =>
  (now) =>
    integer(Math.floor(count(now)), TAG.counter64)
