// A client of SMB2 for probes: acts are drawn, and each is computed from what came back before it.
import { join, u32, u8, zeros } from '../../../src/windows/fields.ts'
import {
  COMMAND,
  readHeader,
  writeHeader,
  type Header,
} from '../../../src/services/smb/protocol/codec/header.ts'
import {
  authenticateToken,
  initToken,
  innerToken,
  negotiateToken,
  responseToken,
  type Credentials,
} from '../../windows/ntlm-client.ts'
import { ALL, type Offer, negotiateBody, setupBody, connectBody, type Wishes, createBody } from './bodies.ts'
import { atOnce, describeFrame, framesOf, idNames, messagesOf, type Names } from './describe.ts'

/** What the client knows of its connection. */
export interface Client {
  messageId: bigint
  sessionId: bigint
  treeId: number
  /** Files and pipes in the order in which they were opened. */
  readonly files: Buffer[]
  /** The server's last token. */
  token: Buffer
  /** The last one that a call gave. */
  handle: Buffer
  /** Of the machine, once an answer had it. */
  sid: Buffer
  readonly requests: Map<bigint, Buffer>
}

export interface Act {
  readonly name: string
  /** Bytes to send, with the transport's header. */
  readonly send: (client: Client) => Buffer
  /** How many answers to wait for. */
  readonly answers: number
}

/** Sends the acts in order; what is yielded goes to the server, what comes back is its answer. The value is what was seen. */
export function* dialogue(
  acts: readonly Act[],
): Generator<{ readonly bytes: Buffer; readonly answers: number }, string[], Buffer> {
  const client = newClient()
  const names = idNames()
  const seen: string[] = []
  for (const act of acts) {
    const answer = yield { bytes: act.send(client), answers: act.answers }
    seen.push(...learn(client, names, answer))
  }
  return seen
}

export const newClient = (): Client => ({
  messageId: 0n,
  sessionId: 0n,
  treeId: 0,
  files: [],
  token: zeros(0),
  handle: zeros(20),
  sid: NO_SID,
  requests: new Map(),
})

/** The domain of no machine. */
const NO_SID = join(u8(1), u8(4), zeros(5), u8(5), u32(21), u32(1), u32(2), u32(3))
const SID_BYTES = 24

/** What an answer says, message by message; the client keeps the ids in it. */
export function learn(client: Client, names: Names, answer: Buffer): string[] {
  const { frames, rest } = framesOf(answer)
  for (const message of frames.flatMap(messagesOf)) {
    const header = readHeader(message)
    if (!header || (header.status >= 0xc0000000 && header.status !== 0xc0000016)) continue
    if (header.command === COMMAND.sessionSetup) {
      client.sessionId = header.sessionId
      client.token = Buffer.from(innerToken(message))
    }
    const stub = handleIn(message)
    if (stub) client.handle = stub
    const sidAt = message.indexOf(NO_SID.subarray(0, 12), 64)
    if (sidAt >= 0) client.sid = Buffer.from(message.subarray(sidAt, sidAt + SID_BYTES))
    if (header.command === COMMAND.treeConnect) client.treeId = header.treeId
    if (header.command === COMMAND.create && message.length >= 144)
      client.files.push(Buffer.from(message.subarray(128, 144)))
  }
  const said = atOnce(frames, client.requests).map((frame) => describeFrame(frame, names, client.requests))
  return rest.length > 0 ? [...said, `rest ${rest.toString('hex')}`] : said
}

/** Of an answer that gives a handle and a status. */
function handleIn(message: Buffer): Buffer | undefined {
  const at = message.indexOf(Buffer.from([5, 0, 2, 3]), 64)
  const isHandle = at >= 0 && message.length === at + 48 && message.readUInt32LE(at + 44) === 0
  return isHandle ? Buffer.from(message.subarray(at + 24, at + 44)) : undefined
}

export type Fields = Partial<Header>

/** A message with its header; ids are the client's unless they are given. */
export function message(client: Client, command: number, body: Buffer, fields: Fields = {}): Buffer {
  const header: Header = {
    creditCharge: 1,
    status: 0,
    command,
    credits: 31,
    flags: 0,
    nextCommand: 0,
    messageId: client.messageId,
    asyncId: 0n,
    processId: 0xfeff,
    treeId: client.treeId,
    sessionId: client.sessionId,
    ...fields,
  }
  const bytes = join(writeHeader(header), body)
  client.requests.set(header.messageId, bytes)
  if (command !== COMMAND.cancel)
    client.messageId = header.messageId + BigInt(Math.max(1, header.creditCharge))
  return bytes
}

export const framed = (bytes: Buffer, type = 0, length = bytes.length): Buffer =>
  join(Buffer.from([type, length >>> 16, (length >>> 8) & 0xff, length & 0xff]), bytes)

/** An act of one message. */
export const act = (
  name: string,
  command: number,
  body: (client: Client) => Buffer,
  fields: Fields = {},
): Act => ({
  name,
  answers: command === COMMAND.cancel ? 0 : 1,
  send: (client) => framed(message(client, command, body(client), fields)),
})

/** The last but `back` of the files; one that does not exist without any. */
export const fileOf = ({ files }: Client, back = 0): Buffer =>
  files[files.length - 1 - back] ?? Buffer.alloc(16, 0x33)

export const negotiate = (offer: Offer = {}, fields: Fields = {}): Act =>
  act(
    `negotiate ${(offer.dialects ?? ALL).map((each) => each.toString(16)).join()}`,
    COMMAND.negotiate,
    () => negotiateBody(offer),
    { creditCharge: 0, ...fields },
  )

/** Both messages of a login. */
export const login = (credentials: Credentials, isRaw = false): Act[] => [
  act('challenge', COMMAND.sessionSetup, () =>
    setupBody(isRaw ? negotiateToken() : initToken(negotiateToken())),
  ),
  act(
    `login ${JSON.stringify({ ...credentials, ntHash: credentials.ntHash ? 'x' : undefined })}`,
    COMMAND.sessionSetup,
    ({ token }) => {
      if (token.length < 56 || token[8] !== 2) return setupBody(zeros(0))
      const answer = authenticateToken(token, credentials)
      return setupBody(isRaw ? answer : responseToken(answer))
    },
  ),
]

export const GUEST: Credentials = { user: 'bob', ntHash: Buffer.alloc(16, 7) }
export const connectTo = (share: string): Act =>
  act(`connect ${share}`, COMMAND.treeConnect, () => connectBody(`\\\\127.0.0.2\\${share}`))
export const create = (name: string, wishes: Wishes = {}, fields: Fields = {}): Act =>
  act(
    `create ${JSON.stringify(name)} ${JSON.stringify(wishes)}`,
    COMMAND.create,
    () => createBody(name, wishes),
    fields,
  )
