// TAI64N: a label of 12 bytes for an instant, 8 of seconds and 4 of nanoseconds, both big endian.

/** 1970-01-01 00:00:10 TAI, which is the epoch of UTC. WireGuard counts no leap seconds. */
const EPOCH = 0x400000000000000an
/** The instants that a Date of ECMAScript can hold. */
const FARTHEST_S = 8_640_000_000_000n

/** In milliseconds; an instant out of the reach of a Date is the first or the last one in it. */
export function readTai64n(label: Buffer): number {
  const seconds = label.readBigUInt64BE() - EPOCH
  if (seconds < -FARTHEST_S || seconds >= FARTHEST_S)
    return Number(FARTHEST_S) * (seconds < 0n ? -1_000 : 1_000)
  return Number(seconds) * 1_000 + Math.floor(Math.min(label.readUInt32BE(8), 999_999_999) / 1_000_000)
}
