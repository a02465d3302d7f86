// What clients and scanners of NTP send.

interface ControlParts {
  readonly data?: string
  readonly association?: number
  readonly version?: number
  readonly sequence?: number
  /** Response, error, more: the bits above the operation. */
  readonly flags?: number
  readonly leap?: number
  readonly status?: number
  readonly offset?: number
  /** As it says, which may be wrong. */
  readonly count?: number
  /** Bytes behind the data; without it, up to a multiple of four. */
  readonly padding?: number
}

/** A control message (RFC 9327), mode 6. */
export function control(opcode: number, parts: ControlParts = {}): Buffer {
  const { data = '', association = 0, version = 2, sequence = 1, flags = 0, leap = 0 } = parts
  const { status = 0, offset = 0, count = data.length, padding = -data.length & 3 } = parts
  const header = Buffer.alloc(12)
  header[0] = (leap << 6) | (version << 3) | 6
  header[1] = flags | opcode
  for (const [at, value] of [sequence, status, association, offset, count].entries())
    header.writeUInt16BE(value, 2 + 2 * at)
  return Buffer.concat([header, Buffer.from(data, 'latin1'), Buffer.alloc(padding)])
}

/** A client's request for the time, or another mode; `more` bytes stand behind its 48. */
export function time(
  version: number,
  mode: number,
  { poll = 6, leap = 0, length = 48, sent = '' } = {},
): Buffer {
  const bytes = Buffer.alloc(Math.max(48, length))
  bytes[0] = (leap << 6) | (version << 3) | mode
  bytes.writeInt8(poll, 2)
  bytes.write(sent, 40, 8, 'latin1')
  return bytes.subarray(0, length)
}

/** Mode 7 of old servers: its request code, such as 42 for a list of clients. */
export const old = (request: number, version = 2, length = 8): Buffer =>
  Buffer.from([(version << 3) | 7, 0, 3, request, ...Buffer.alloc(length)].slice(0, length))
