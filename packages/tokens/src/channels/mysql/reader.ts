// Reads the fields of a packet one after the other. Each is undefined where the packet ends before it.

export function openReader(packet: Buffer) {
  let at = 0
  const bytes = (length: number | undefined): Buffer | undefined => {
    if (length === undefined || at + length > packet.length) return undefined
    at += length
    return packet.subarray(at - length, at)
  }
  const integer = (length: number): number | undefined => bytes(length)?.readUIntLE(0, length)
  const lengthInteger = (): number | undefined => {
    const first = integer(1)
    if (first === undefined || first < 0xfb) return first
    return first === 0xfc ? integer(2) : first === 0xfd ? integer(3) : undefined
  }
  return {
    bytes,
    integer,
    /** Up to its NUL, which must be there. */
    nulText(): Buffer | undefined {
      const end = packet.indexOf(0, at)
      if (end < 0) return undefined
      const text = packet.subarray(at, end)
      at = end + 1
      return text
    },
    /** An integer whose first byte says how long it is; undefined for one of eight bytes, which no login has. */
    lengthInteger,
    lengthText: (): Buffer | undefined => bytes(lengthInteger()),
    isAtEnd: () => at >= packet.length,
  }
}

export type FieldReader = ReturnType<typeof openReader>
