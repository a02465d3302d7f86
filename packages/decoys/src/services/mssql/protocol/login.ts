// LOGIN7 ([MS-TDS] 2.2.6.4): who logs in, with what, and from which program.
import { textOf } from '../../../windows/fields.ts'

export interface Login {
  /** The greatest version of TDS that the client speaks, such as 0x74000004. */
  readonly tdsVersion: number
  readonly host: string
  readonly user: string
  readonly password: string
  readonly app: string
  readonly server: string
  /** Windows checks who it is: the first token of SPNEGO or NTLM. */
  readonly sspi: Buffer | undefined
}

/** The greatest LOGIN7 (2.2.6.4). */
export const MAX_LOGIN_BYTES = 128 * 1024 - 1

/** Where each text stands: place of its offset, and the most characters that it may have. */
const TEXTS = {
  host: [36, 128],
  user: [40, 128],
  password: [44, 128],
  app: [48, 128],
  server: [52, 128],
  library: [60, 128],
  language: [64, 128],
  database: [68, 128],
  file: [82, 260],
} as const
/** Since TDS 7.2. */
const NEW_PASSWORD = [86, 128] as const
const SSPI_AT = 78
const LONG_SSPI_AT = 90
const EXTENSION_AT = 56
/** Without the texts. */
export const MIN_LOGIN_BYTES = 86
const FIXED_BYTES = { old: MIN_LOGIN_BYTES, since72: 94 }
const TDS_7_0 = 0x70
export const TDS_7_2 = 0x72
const OPTIONS_2_AT = 25
const INTEGRATED_SECURITY = 0x80
const OPTIONS_3_AT = 27
const HAS_EXTENSION = 0x10
const LONGER = 0xffff

/** Major number of a version of TDS. */
export const majorOf = (tdsVersion: number): number => tdsVersion >>> 24

/** Undefined when it is malformed: the server answers such a login by its close (error 17832 in its log). */
export function readLogin(payload: Buffer): Login | undefined {
  if (payload.length < FIXED_BYTES.old || payload.length > MAX_LOGIN_BYTES) return undefined
  const tdsVersion = payload.readUInt32LE(4)
  const isSince72 = majorOf(tdsVersion) >= TDS_7_2
  const fixedBytes = isSince72 ? FIXED_BYTES.since72 : FIXED_BYTES.old
  const isWhole = payload.readUInt32LE(0) === payload.length && payload.length >= fixedBytes
  if (!isWhole || majorOf(tdsVersion) < TDS_7_0) return undefined
  // ibHostName is where the contents begin; it must not be 0.
  if (payload.readUInt16LE(TEXTS.host[0]) < fixedBytes) return undefined
  const all = isSince72 ? [...Object.values(TEXTS), NEW_PASSWORD] : Object.values(TEXTS)
  const sspi = sspiOf(payload, isSince72)
  if (!all.every(([at, most]) => contentAt(payload, at, most)) || !sspi || !isExtensionInside(payload))
    return undefined
  const text = ([at, most]: readonly [number, number]): string =>
    textOf(contentAt(payload, at, most) ?? Buffer.alloc(0))
  const [at, most] = TEXTS.password
  return {
    tdsVersion,
    host: text(TEXTS.host),
    user: text(TEXTS.user),
    password: textOf(unscrambled(contentAt(payload, at, most) ?? Buffer.alloc(0))),
    app: text(TEXTS.app),
    server: text(TEXTS.server),
    sspi: (payload[OPTIONS_2_AT]! & INTEGRATED_SECURITY) !== 0 ? sspi : undefined,
  }
}

/** A text by the place of its offset and length, in UTF-16; undefined when it lies outside, or is too long. */
function contentAt(payload: Buffer, at: number, mostCharacters: number): Buffer | undefined {
  const characters = payload.readUInt16LE(at + 2)
  if (characters > mostCharacters) return undefined
  return inside(payload, payload.readUInt16LE(at), 2 * characters)
}

/** Of no length it may stand anywhere. */
function inside(payload: Buffer, start: number, length: number): Buffer | undefined {
  if (length === 0) return Buffer.alloc(0)
  return start + length <= payload.length ? payload.subarray(start, start + length) : undefined
}

/** A token of 65,535 bytes or more has its length in cbSSPILong, since TDS 7.2. */
function sspiOf(payload: Buffer, isSince72: boolean): Buffer | undefined {
  const short = payload.readUInt16LE(SSPI_AT + 2)
  const long = isSince72 && short === LONGER ? payload.readUInt32LE(LONG_SSPI_AT) : 0
  return inside(payload, payload.readUInt16LE(SSPI_AT), long || short)
}

/** ibExtension points to the offset of the feature list, since TDS 7.4. */
function isExtensionInside(payload: Buffer): boolean {
  if ((payload[OPTIONS_3_AT]! & HAS_EXTENSION) === 0) return true
  const pointer = inside(
    payload,
    payload.readUInt16LE(EXTENSION_AT),
    Math.max(4, payload.readUInt16LE(EXTENSION_AT + 2)),
  )
  return pointer !== undefined && pointer.readUInt32LE(0) < payload.length
}

/** Each byte was XORed with 0xA5 after its halves changed places. */
const unscrambled = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.map((byte) => {
      const mixed = byte ^ 0xa5
      return ((mixed << 4) | (mixed >> 4)) & 0xff
    }),
  )
