// Ranges of a file as responses show them (RFC 9110, 14.4 and 14.6).

export type ByteRange = readonly [from: number, to: number]

export const contentRange = ([from, to]: ByteRange, size: number): string =>
  `Content-Range: bytes ${from}-${to}/${size}\r\n`

/** The body of several ranges; `type` is that of the file. */
export const partsOf = (
  bytes: Buffer,
  type: string,
  ranges: readonly ByteRange[],
  boundary: string,
): Buffer =>
  Buffer.concat([
    ...ranges.flatMap((range) => [
      Buffer.from(`--${boundary}\r\nContent-Type: ${type}\r\n${contentRange(range, bytes.length)}\r\n`),
      bytes.subarray(range[0], range[1] + 1),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
