// CRC-32C (Castagnoli; RFC 3720, appendix B.4), reflected, as iSCSI and ext4 use it.
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0x82f63b78 : n >>> 1
  return n >>> 0
})

/** The checksum of `bytes` from `start` up to, not including, `end`, as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = ~0
  for (let i = start; i < end; i++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[i]!) & 255]!
  return ~crc >>> 0
}
