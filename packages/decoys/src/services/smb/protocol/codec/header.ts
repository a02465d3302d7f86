// The header of every SMB2 message ([MS-SMB2] 2.2.1).
//
//    0        4      6        8        12       14       16      20            24          32
//   ┌────────┬──────┬────────┬────────┬────────┬────────┬───────┬─────────────┬───────────┬─
//   │ FE SMB │  64  │ charge │ status │ command│ credits│ flags │ nextCommand │ messageId │
//   └────────┴──────┴────────┴────────┴────────┴────────┴───────┴─────────────┴───────────┴─
//    32                    36       40          48                  64
//   ┬─────────────────────┬────────┬───────────┬───────────────────┐
//   │ process │ or asyncId: treeId │ sessionId │ signature (16)    │
//   ┴─────────────────────┴────────┴───────────┴───────────────────┘
export const HEADER_BYTES = 64

export const COMMAND = {
  negotiate: 0,
  sessionSetup: 1,
  logoff: 2,
  treeConnect: 3,
  treeDisconnect: 4,
  create: 5,
  close: 6,
  flush: 7,
  read: 8,
  write: 9,
  lock: 10,
  ioctl: 11,
  cancel: 12,
  echo: 13,
  queryDirectory: 14,
  changeNotify: 15,
  queryInfo: 16,
  setInfo: 17,
  oplockBreak: 18,
} as const

export const FLAG = { response: 1, async: 2, related: 4, signed: 8 } as const

export interface Header {
  readonly creditCharge: number
  readonly status: number
  readonly command: number
  /** Requested in a request, granted in a response. */
  readonly credits: number
  readonly flags: number
  /** Where the next message of the compound begins; 0 in the last. */
  readonly nextCommand: number
  readonly messageId: bigint
  /** Only with the flag `async`; then there are no `processId` and no `treeId`. */
  readonly asyncId: bigint
  /** Reserved in newer documents; an answer repeats it. */
  readonly processId: number
  readonly treeId: number
  readonly sessionId: bigint
}

/** Reads the first 64 bytes; undefined when they are no header. */
export function readHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(0) !== 0xfe534d42) return undefined
  if (bytes.readUInt16LE(4) !== HEADER_BYTES) return undefined
  const flags = bytes.readUInt32LE(16)
  const isAsync = (flags & FLAG.async) !== 0
  return {
    creditCharge: bytes.readUInt16LE(6),
    status: bytes.readUInt32LE(8),
    command: bytes.readUInt16LE(12),
    credits: bytes.readUInt16LE(14),
    flags,
    nextCommand: bytes.readUInt32LE(20),
    messageId: bytes.readBigUInt64LE(24),
    asyncId: isAsync ? bytes.readBigUInt64LE(32) : 0n,
    processId: isAsync ? 0 : bytes.readUInt32LE(32),
    treeId: isAsync ? 0 : bytes.readUInt32LE(36),
    sessionId: bytes.readBigUInt64LE(40),
  }
}

/** The header with an empty signature. */
export function writeHeader(header: Header): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32BE(0xfe534d42, 0)
  bytes.writeUInt16LE(HEADER_BYTES, 4)
  bytes.writeUInt16LE(header.creditCharge, 6)
  bytes.writeUInt32LE(header.status >>> 0, 8)
  bytes.writeUInt16LE(header.command, 12)
  bytes.writeUInt16LE(header.credits, 14)
  bytes.writeUInt32LE(header.flags >>> 0, 16)
  bytes.writeUInt32LE(header.nextCommand, 20)
  bytes.writeBigUInt64LE(header.messageId, 24)
  if (header.flags & FLAG.async) bytes.writeBigUInt64LE(header.asyncId, 32)
  else {
    bytes.writeUInt32LE(header.processId, 32)
    bytes.writeUInt32LE(header.treeId, 36)
  }
  bytes.writeBigUInt64LE(header.sessionId, 40)
  return bytes
}

/** Of the answer to a negotiation by SMB1, which leads to SMB2 ([MS-SMB2] 3.3.5.3). */
export const upgradeHeader = (): Buffer =>
  writeHeader({
    creditCharge: 0,
    status: 0,
    command: COMMAND.negotiate,
    credits: 1,
    flags: FLAG.response,
    nextCommand: 0,
    messageId: 0n,
    asyncId: 0n,
    processId: 0,
    treeId: 0,
    sessionId: 0n,
  })
