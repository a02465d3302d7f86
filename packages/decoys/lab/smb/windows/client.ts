// A client of SMB2 that drives a session without a socket. It has 100 credits a request, and never signs by itself.
import { testContext } from '../../../test/session-context.ts'
import { sessionRunner } from '../../../src/session/session-runner.ts'
import type { BirdSettings, DecoyEvent, Reply, SessionContext } from '../../../src/session/session.ts'
import { join, u16, u32, u64, u8, utf16, zeros } from '../../../src/windows/fields.ts'
import { encodeFrame } from '../../../src/services/smb/protocol/codec/frame.ts'
import {
  COMMAND,
  readHeader,
  writeHeader,
  type Header,
} from '../../../src/services/smb/protocol/codec/header.ts'
import { smbConfig } from '../../../src/services/smb/products/windows/config.ts'
import { descriptor } from '../../../src/services/smb/descriptor.ts'
import { smbSession } from '../../../src/services/smb/products/windows/session.ts'
import type { SmbState } from '../../../src/services/smb/products/windows/state.ts'
import {
  authenticateToken,
  initToken,
  innerToken,
  negotiateToken,
  responseToken,
  type Credentials,
} from '../../windows/ntlm-client.ts'

export const ALL_DIALECTS = [0x0202, 0x0210, 0x0300, 0x0302, 0x0311]
export const TREE = [
  {
    name: 'Reports',
    type: 'directory',
    children: [
      { name: 'Budget 2026.xlsx', type: 'file', size: 20_000, modified: '2026-03-31T16:20:00Z' },
      { name: 'notes.txt', type: 'file', size: 500, modified: '2026-04-01' },
    ],
  },
  { name: 'readme.txt', type: 'file', size: 100_000, modified: '2026-01-02' },
]

const defaults = Object.fromEntries(
  Object.entries(descriptor.settings).map(([key, { default: value }]) => [key, value]),
)

export interface Answer {
  readonly header: Header
  /** Header and body. */
  readonly message: Buffer
  readonly body: Buffer
}

export interface ClientOptions {
  readonly settings?: BirdSettings
  readonly context?: Partial<SessionContext>
  /** The folder of uploaded files. */
  readonly uploads?: string
}

/** Messages out of the stream of a server. */
export function messagesOf(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const end = 4 + rest.readUIntBE(1, 3)
    messages.push(rest.subarray(4, end))
    rest = rest.subarray(end)
  }
  return messages
}

export const negotiateBody = (
  dialects: readonly number[],
  contexts = preauth(),
  capabilities = 0x7f,
): Buffer => {
  const isNewest = dialects.includes(0x0311)
  const head = join(u16(36), u16(dialects.length), u16(1), u16(0), u32(capabilities), Buffer.alloc(16, 0x11))
  const fixed = 64 + 36 + 2 * dialects.length
  const at = (fixed + 7) & ~7
  const tail = isNewest ? join(u32(at), u16(contexts.length), u16(0)) : zeros(8)
  const list = join(...dialects.map(u16))
  if (!isNewest) return join(head, tail, list)
  const padded = contexts.map((context, i) =>
    i === contexts.length - 1 ? context : join(context, zeros(-context.length & 7)),
  )
  return join(head, tail, list, zeros(at - fixed), ...padded)
}

export const context = (type: number, content: Buffer): Buffer =>
  join(u16(type), u16(content.length), u32(0), content)
export const preauth = (...hashes: readonly number[]): Buffer[] => [
  context(
    1,
    join(u16(hashes.length || 1), u16(4), ...(hashes.length ? hashes : [1]).map(u16), Buffer.alloc(4, 7)),
  ),
]

export function smbClient({ settings = {}, context: over = {}, uploads }: ClientOptions = {}) {
  const given = {
    ...defaults,
    'smb.enabled': true,
    'smb.netbiosname': 'FILES',
    'smb.filetree': TREE,
    ...settings,
  }
  const definition = smbSession(smbConfig(given, uploads))
  let serverState: SmbState | undefined
  const watched: typeof definition = {
    ...definition,
    step(before, frame, context) {
      const step = definition.step(before, frame, context)
      serverState = step.state
      return step
    },
  }
  const session = sessionRunner(watched)(testContext(over))
  const events: DecoyEvent[] = []
  const state = { messageId: 0n, sessionId: 0n, treeId: 0, closed: undefined as Reply['close'] }
  const take = (replies: readonly Reply[]): Buffer => {
    const parts: Buffer[] = []
    for (const { send = '', events: raised = [], close, error } of replies) {
      if (error !== undefined) throw new Error('the session threw', { cause: error })
      events.push(...raised)
      parts.push(Buffer.from(send))
      state.closed = close ?? state.closed
    }
    if (session.hasMore) parts.push(take(session.resume()))
    return Buffer.concat(parts)
  }
  take([session.open()])

  const message = (command: number, body: Buffer, more: Partial<Header> = {}): Buffer => {
    const header = {
      creditCharge: 1,
      status: 0,
      command,
      credits: 100,
      flags: 0,
      nextCommand: 0,
      messageId: state.messageId,
      asyncId: 0n,
      processId: 0,
      treeId: state.treeId,
      sessionId: state.sessionId,
      ...more,
    }
    if (command !== COMMAND.cancel) state.messageId += BigInt(Math.max(1, header.creditCharge))
    return join(writeHeader(header), body)
  }
  const receive = (bytes: Buffer): Buffer => take(session.receive(bytes))
  const send = (...messages: readonly Buffer[]): Answer[] =>
    messagesOf(receive(join(...messages.map(encodeFrame)))).flatMap(answersOf)
  const request = (command: number, body: Buffer, more: Partial<Header> = {}): Answer =>
    send(message(command, body, more))[0]!

  return {
    state,
    events,
    message,
    send,
    request,
    /** What the server knows of the connection. */
    serverState: () => serverState,
    /** Bytes as they are on the wire; answers what comes back. */
    receive,
    negotiate: (...dialects: readonly number[]) =>
      request(COMMAND.negotiate, negotiateBody(dialects.length ? dialects : ALL_DIALECTS)),
    login(credentials: Credentials): Answer {
      const first = request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())))
      state.sessionId = first.header.sessionId
      const token = responseToken(authenticateToken(innerToken(first.body), credentials))
      return request(COMMAND.sessionSetup, setupBody(token))
    },
    connect(share = 'Documents'): Answer {
      const path = utf16(`\\\\192.0.2.1\\${share}`)
      const answer = request(COMMAND.treeConnect, join(u16(9), u16(0), u16(72), u16(path.length), path))
      state.treeId = answer.header.treeId
      return answer
    },
    create: (name: string, wanted: CreateWishes = {}) => request(COMMAND.create, createBody(name, wanted)),
    /** Opens, and answers the file id. */
    open: (name: string, wanted: CreateWishes = {}) =>
      Buffer.from(request(COMMAND.create, createBody(name, wanted)).body.subarray(64, 80)),
  }
}

export type SmbClient = ReturnType<typeof smbClient>

/** A client past login and tree connect. */
export function connected(
  options: ClientOptions & { readonly dialects?: readonly number[]; readonly share?: string } = {},
): SmbClient {
  const client = smbClient(options)
  client.negotiate(...(options.dialects ?? [0x0210]))
  client.login({ user: 'bob', ntHash: Buffer.alloc(16, 7) })
  client.connect(options.share)
  return client
}

/** A message may hold several. */
function answersOf(bytes: Buffer): Answer[] {
  const header = readHeader(bytes)
  if (!header) throw new Error(`${bytes.toString('hex', 0, 16)} is no message of SMB2`)
  const end = header.nextCommand || bytes.length
  const message = bytes.subarray(0, end)
  const answer = { header, message, body: message.subarray(64) }
  return header.nextCommand === 0 ? [answer] : [answer, ...answersOf(bytes.subarray(end))]
}

export const setupBody = (token: Buffer, flags = 0): Buffer =>
  join(u16(25), u8(flags), u8(1), u32(0), u32(0), u16(88), u16(token.length), zeros(8), token)

export interface CreateWishes {
  readonly access?: number
  readonly disposition?: number
  readonly options?: number
  readonly oplock?: number
  readonly contexts?: Buffer
}

export function createBody(
  name: string,
  { access = 0x00120089, disposition = 1, options = 0, oplock = 0, contexts = zeros(0) }: CreateWishes = {},
): Buffer {
  const text = utf16(name)
  const nameAt = 120
  const contextsAt = (nameAt + text.length + 7) & ~7
  return join(
    u16(57),
    u8(0),
    u8(oplock),
    u32(2),
    zeros(16),
    u32(access),
    u32(0),
    u32(7),
    u32(disposition),
    u32(options),
    u16(nameAt),
    u16(text.length),
    u32(contexts.length ? contextsAt : 0),
    u32(contexts.length),
    text,
    zeros(contexts.length ? contextsAt - nameAt - text.length : text.length ? 0 : 1),
    contexts,
  )
}

export const readBody = (fileId: Buffer, offset: number | bigint, length: number): Buffer =>
  join(u16(49), u8(0), u8(0), u32(length), u64(offset), fileId, u32(0), u32(0), u32(0), u16(0), u16(0), u8(0))

export const writeBody = (fileId: Buffer, content: Buffer): Buffer =>
  join(
    u16(49),
    u16(112),
    u32(content.length),
    u64(0),
    fileId,
    u32(0),
    u32(0),
    u16(0),
    u16(0),
    u32(0),
    content,
  )

export const closeBody = (fileId: Buffer, flags = 0): Buffer => join(u16(24), u16(flags), u32(0), fileId)

export const queryDirectoryBody = (
  fileId: Buffer,
  pattern: string,
  infoClass = 37,
  flags = 0,
  max = 65_536,
): Buffer => {
  const text = utf16(pattern)
  return join(
    u16(33),
    u8(infoClass),
    u8(flags),
    u32(0),
    fileId,
    u16(96),
    u16(text.length),
    u32(max),
    text.length ? text : u8(0),
  )
}

export const queryInfoBody = (
  fileId: Buffer,
  type: number,
  infoClass: number,
  max = 4_096,
  additional = 0,
): Buffer =>
  join(
    u16(41),
    u8(type),
    u8(infoClass),
    u32(max),
    u16(0),
    u16(0),
    u32(0),
    u32(additional),
    u32(0),
    fileId,
    u8(0),
  )

export const ioctlBody = (code: number, fileId: Buffer, input: Buffer, max = 65_536): Buffer =>
  join(
    u16(57),
    u16(0),
    u32(code),
    fileId,
    u32(120),
    u32(input.length),
    u32(0),
    u32(0),
    u32(0),
    u32(max),
    u32(1),
    u32(0),
    input.length ? input : u8(0),
  )

/** The varying part of QUERY_DIRECTORY, QUERY_INFO (at 2) and READ (at 4, offset of one byte). */
export const outputOf = ({ message, body }: Answer): Buffer => {
  const at = body.readUInt16LE(2)
  return message.subarray(at, at + body.readUInt32LE(4))
}
export const contentOf = ({ message, body }: Answer): Buffer => {
  const at = body[2] ?? 0
  return message.subarray(at, at + body.readUInt32LE(4))
}
/** The output of IOCTL. */
export const ioctlOutput = ({ message, body }: Answer): Buffer => {
  const at = body.readUInt32LE(32)
  return message.subarray(at, at + body.readUInt32LE(36))
}

/** Names in a listing of class 37. */
export function namesIn(listing: Buffer): string[] {
  if (listing.length === 0) return []
  const next = listing.readUInt32LE(0)
  const name = listing.toString('utf16le', 104, 104 + listing.readUInt32LE(60))
  return next === 0 ? [name] : [name, ...namesIn(listing.subarray(next))]
}
