// A set of ports that grows: few as a list, many as a bitmap of 8 KiB.

const LISTED = 256
const ALL_PORTS = 65_536

export function portSet(ports: Iterable<number> = []) {
  let few: Set<number> | undefined = new Set()
  let bits = new Uint8Array(0)
  let size = 0

  const has = (port: number): boolean =>
    few ? few.has(port) : ((bits[port >> 3] ?? 0) & (1 << (port & 7))) !== 0
  const setBit = (port: number): void => void (bits[port >> 3]! |= 1 << (port & 7))

  function add(port: number): boolean {
    if (has(port)) return false
    size++
    if (few && few.size < LISTED) few.add(port)
    else if (few) {
      bits = new Uint8Array(ALL_PORTS / 8)
      few.forEach(setBit)
      few = undefined
      setBit(port)
    } else setBit(port)
    return true
  }

  for (const port of ports) add(port)
  return {
    /** Answers whether the port is new. */
    add,
    has,
    get size() {
      return size
    },
    /** In rising order. */
    list: (): number[] =>
      few ? [...few].sort((a, b) => a - b) : Array.from({ length: ALL_PORTS }, (_, port) => port).filter(has),
  }
}

export type PortSet = ReturnType<typeof portSet>
