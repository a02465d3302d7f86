// What two clocks say differently, by the layout of their datagrams.

/** Variables whose values are those of the program, not of its time. */
const KEPT = new Set(['leap', 'precision', 'processor', 'version', 'mintc'])

const VARIABLE = /(\w+)=("[^"]*"|[^,\r]*)/g

/** One datagram, latin1. */
export function mask(datagram: string): string {
  const bytes = Buffer.from(datagram, 'latin1')
  if (bytes.length === 0) return ''
  if ((bytes[0]! & 7) === 6) return control(bytes)
  // Version, mode, poll and precision; the client's time of sending.
  return `${[bytes[0], bytes[2], bytes[3]].join(' ')} ${bytes.toString('hex', 24, 32)} ${bytes.length}`
}

function control(bytes: Buffer): string {
  const isError = (bytes[1]! & 0x40) !== 0
  const header = Buffer.from(bytes.subarray(0, 12))
  if (!isError) header.writeUInt16BE(0, 4)
  header.writeUInt16BE(0, 10)
  const text = bytes.toString('latin1', 12, 12 + bytes.readUInt16BE(10))
  // The peers of one are not those of the other.
  const isList = header[1] === 0x81 && header.readUInt16BE(6) === 0
  const shown = text
    .replaceAll(',\r\n', ', ')
    .replace(VARIABLE, (whole, name: string) => (KEPT.has(name) ? whole : name))
  return `${header.toString('hex')} ${isList ? 'peers' : shown}`
}
