// FILETIME ([MS-DTYP] 2.3.3): 100-nanosecond intervals since 1601-01-01 UTC.

const EPOCH_MS = 11_644_473_600_000n

/** From milliseconds UTC. */
export const fileTime = (ms: number): bigint => (BigInt(Math.trunc(ms)) + EPOCH_MS) * 10_000n

/** To milliseconds UTC, rounded down. */
export const fromFileTime = (time: bigint): number => Number(time / 10_000n - EPOCH_MS)
