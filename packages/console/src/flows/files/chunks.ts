// Files in the pieces in which the database holds them.
export const CHUNK_BYTES = 256 * 1024

/** Pieces that one transaction writes. */
export const TRANSACTION_BYTES = 4 * CHUNK_BYTES

export const chunksOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.byteLength / CHUNK_BYTES) }, (_, n) =>
    bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
  )
