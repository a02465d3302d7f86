// What a client sends to a SQL Server, made by [MS-TDS], and what it reads out of an answer.

export const TYPE = {
  batch: 1,
  oldLogin: 2,
  rpc: 3,
  result: 4,
  attention: 6,
  bulk: 7,
  federation: 8,
  login: 0x10,
  sspi: 0x11,
  prelogin: 0x12,
} as const
export const TDS = {
  v70: 0x7000_0000,
  v71: 0x7100_0000,
  v71rev1: 0x7100_0001,
  v72: 0x7209_0002,
  v73a: 0x730a_0003,
  v73b: 0x730b_0003,
  v74: 0x7400_0004,
} as const
export const ENCRYPT = { off: 0, on: 1, notSupported: 2, required: 3 } as const

const LAST = 1

/** One packet; `length` lies about its own. */
export function packet(
  type: number,
  payload: Buffer,
  over: { status?: number; length?: number; id?: number } = {},
): Buffer {
  const header = Buffer.from([type, over.status ?? LAST, 0, 0, 0, 0, over.id ?? 1, 0])
  header.writeUInt16BE(over.length ?? payload.length + 8, 2)
  return Buffer.concat([header, payload])
}

/** A message in packets of `size` bytes at most. */
export function message(type: number, payload: Buffer, size: number): Buffer {
  const room = size - 8
  const count = Math.max(1, Math.ceil(payload.length / room))
  return Buffer.concat(
    Array.from({ length: count }, (_, i) =>
      packet(type, payload.subarray(i * room, (i + 1) * room), {
        status: i === count - 1 ? LAST : 0,
        id: i + 1,
      }),
    ),
  )
}

export type Option = readonly [token: number, content: Buffer]

export function options(list: readonly Option[], terminator: readonly number[] = [0xff]): Buffer {
  let at = list.length * 5 + terminator.length
  const heads = list.map(([token, content]) => {
    const head = Buffer.from([token, 0, 0, 0, 0])
    head.writeUInt16BE(at, 1)
    head.writeUInt16BE(content.length, 3)
    at += content.length
    return head
  })
  return Buffer.concat([...heads, Buffer.from(terminator), ...list.map(([, content]) => content)])
}

export interface PreloginParts {
  readonly encryption?: number
  readonly instance?: string
  readonly mars?: number
  readonly federation?: number
  readonly traceId?: boolean
  readonly nonce?: boolean
}

export const VERSION_OPTION: Option = [0, Buffer.from('090000000000', 'hex')]

export const prelogin = ({
  encryption = ENCRYPT.notSupported,
  instance,
  mars,
  federation,
  traceId,
  nonce,
}: PreloginParts = {}): Buffer =>
  options([
    VERSION_OPTION,
    [1, Buffer.from([encryption])],
    [2, Buffer.from(`${instance ?? ''}\0`, 'latin1')],
    [3, Buffer.from('00000db8', 'hex')],
    ...(mars === undefined ? [] : [[4, Buffer.from([mars])] as const]),
    ...(traceId ? [[5, Buffer.alloc(36, 7)] as const] : []),
    ...(federation === undefined ? [] : [[6, Buffer.from([federation])] as const]),
    ...(nonce ? [[7, Buffer.alloc(32, 9)] as const] : []),
  ])

const scrambled = (password: string): Buffer =>
  Buffer.from(Buffer.from(password, 'utf16le').map((byte) => (((byte << 4) | (byte >> 4)) & 0xff) ^ 0xa5))

export interface LoginParts {
  readonly version?: number
  readonly host?: string
  readonly user?: string
  readonly password?: string
  readonly app?: string
  readonly server?: string
  readonly library?: string
  readonly language?: string
  readonly database?: string
  readonly file?: string
  readonly newPassword?: string
  /** With it, Windows checks the login. */
  readonly sspi?: Buffer
  /** Stands in cbSSPILong. */
  readonly isSspiLong?: boolean
  readonly options3?: number
  readonly extension?: Buffer
  /** Bytes to write over the result, by their place. */
  readonly patch?: readonly (readonly [at: number, bytes: string])[]
}

export function login(parts: LoginParts = {}): Buffer {
  const {
    version = TDS.v74,
    user = 'sa',
    password = 'secret',
    host = 'ATTACKER',
    app = 'sqlcmd',
    server = '192.0.2.1',
    sspi,
  } = parts
  const isSince72 = version >>> 24 >= 0x72
  const fixed = Buffer.alloc(isSince72 ? 94 : 86)
  const contents: Buffer[] = []
  let at = fixed.length
  const place = (offsetAt: number, content: Buffer, length = content.length / 2): void => {
    fixed.writeUInt16LE(at, offsetAt)
    fixed.writeUInt16LE(length, offsetAt + 2)
    contents.push(content)
    at += content.length
  }
  const text = (offsetAt: number, value = ''): void => place(offsetAt, Buffer.from(value, 'utf16le'))
  text(36, host)
  text(40, user)
  place(44, scrambled(password))
  text(48, app)
  text(52, server)
  if (parts.extension) place(56, parts.extension, parts.extension.length)
  else text(56)
  text(60, parts.library ?? 'ODBC')
  text(64, parts.language)
  text(68, parts.database)
  Buffer.from('0050569c0011', 'hex').copy(fixed, 72)
  text(82, parts.file)
  if (isSince72) {
    text(86, parts.newPassword)
    fixed.writeUInt32LE(parts.isSspiLong ? (sspi?.length ?? 0) : 0, 90)
  }
  // Its length may be more than an offset can be.
  place(78, sspi ?? Buffer.alloc(0), parts.isSspiLong ? 0xffff : (sspi?.length ?? 0))
  fixed.writeUInt32LE(at, 0)
  fixed.writeUInt32LE(version, 4)
  fixed.writeUInt32LE(4_096, 8)
  fixed.writeUInt32LE(0x0700_0000, 12)
  fixed.writeUInt32LE(4_242, 16)
  fixed[24] = 0xe0
  fixed[25] = sspi ? 0x83 : 0x03
  fixed[27] = parts.options3 ?? 0
  fixed.writeUInt32LE(0x409, 32)
  const whole = Buffer.concat([fixed, ...contents])
  for (const [place, bytes] of parts.patch ?? []) Buffer.from(bytes, 'hex').copy(whole, place)
  return whole
}

/** The record of TDS 4.2, as old tools send it. */
export function oldLogin({
  user = 'sa',
  password = 'secret',
  host = 'ATTACKER',
  app = 'hydra',
  server = '',
}: LoginParts = {}): Buffer {
  const record = Buffer.alloc(575)
  for (const [at, text] of [
    [0, host],
    [31, user],
    [62, password],
    [140, app],
    [171, server],
  ] as const) {
    record.write(text, at, 'latin1')
    record[at + 30] = text.length
  }
  return record
}

export interface ServerPacket {
  readonly type: number
  readonly status: number
  readonly spid: number
  readonly id: number
  readonly window: number
  readonly payload: Buffer
}

/** The packets of an answer; throws when bytes are left over. */
export function packetsOf(bytes: Buffer): readonly ServerPacket[] {
  const found: ServerPacket[] = []
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt16BE(at + 2)
    if (length < 8 || at + length > bytes.length)
      throw new RangeError(`A packet of ${length} bytes at ${at} of ${bytes.length}.`)
    found.push({
      type: bytes[at]!,
      status: bytes[at + 1]!,
      spid: bytes.readUInt16BE(at + 4),
      id: bytes[at + 6]!,
      window: bytes[at + 7]!,
      payload: bytes.subarray(at + 8, at + length),
    })
    at += length
  }
  return found
}

/** The options of a PRELOGIN answer in their order. */
export function optionsOf(payload: Buffer): readonly Option[] {
  const found: Option[] = []
  for (let at = 0; payload[at] !== 0xff; at += 5) {
    const start = payload.readUInt16BE(at + 1)
    found.push([payload[at]!, payload.subarray(start, start + payload.readUInt16BE(at + 3))])
  }
  return found
}

export interface Refusal {
  readonly number: number
  readonly state: number
  readonly class: number
  readonly text: string
  readonly server: string
  readonly procedure: string
  readonly line: number
  readonly doneStatus: number
  readonly command: number
  readonly rowBytes: number
}

/** ERROR and DONE as a client of that version reads them; throws when they do not fill the payload. */
export function refusalOf(payload: Buffer, isSince72 = true): Refusal {
  if (payload[0] !== 0xaa) throw new RangeError(`The token is ${payload[0]}, not ERROR.`)
  const end = 3 + payload.readUInt16LE(1)
  let at = 11
  const text = (characters: number): string => payload.toString('utf16le', at, (at += 2 * characters))
  const message = text(payload.readUInt16LE(9))
  const server = text(payload[at++]!)
  const procedure = text(payload[at++]!)
  const line = isSince72 ? payload.readUInt32LE(at) : payload.readUInt16LE(at)
  at += isSince72 ? 4 : 2
  const rowBytes = isSince72 ? 8 : 4
  if (at !== end || payload[end] !== 0xfd || payload.length !== end + 5 + rowBytes)
    throw new RangeError(`ERROR ends at ${at}, not ${end}; ${payload.length} bytes.`)
  return {
    number: payload.readInt32LE(3),
    state: payload[7]!,
    class: payload[8]!,
    text: message,
    server,
    procedure,
    line,
    doneStatus: payload.readUInt16LE(end + 1),
    command: payload.readUInt16LE(end + 3),
    rowBytes,
  }
}

/** The token of an SSPI answer. */
export function sspiOf(payload: Buffer): Buffer {
  if (payload[0] !== 0xed) throw new RangeError(`The token is ${payload[0]}, not SSPI.`)
  return payload.subarray(3, 3 + payload.readUInt16LE(1))
}
