// CRC-64 of Redis ("Jones": polynomial 0xad93d23594c935a9, reflected, without a final XOR), which ends each RDB.
const POLYNOMIAL = 0x95ac9329ac4bc9b5n

/** The low and the high half of each table entry: numbers are faster than BigInts. */
const LOW = new Uint32Array(256)
const HIGH = new Uint32Array(256)
for (let byte = 0; byte < 256; byte += 1) {
  let crc = BigInt(byte)
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n
  LOW[byte] = Number(crc & 0xffff_ffffn)
  HIGH[byte] = Number(crc >> 32n)
}

/** The checksum of the bytes, as the eight bytes with which it is written (little-endian). All texts are latin1. */
export function crc64(bytes: string): string {
  let [low, high] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const index = (low ^ bytes.charCodeAt(at)) & 255
    low = ((low >>> 8) | (high << 24)) ^ LOW[index]!
    high = (high >>> 8) ^ HIGH[index]!
  }
  const written = Buffer.alloc(8)
  written.writeUInt32LE(low >>> 0, 0)
  written.writeUInt32LE(high >>> 0, 4)
  return written.toString('latin1')
}
