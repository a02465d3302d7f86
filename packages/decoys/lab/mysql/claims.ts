// What the tests of MySQL's claims share: errors, users that get a certain plug-in, and what clients make of a password.
import { constants, createHash, publicEncrypt } from 'node:crypto'
import { framed, login } from './client.ts'
import type { Conversation, ServerPacket } from './conversation.ts'

export const SHA2 = 'caching_sha2_password'
export const SHA256 = 'sha256_password'
export const BOTH = ['mysql-5.7', 'mysql-8.0'] as const
export const SCRAMBLE = 'x'.repeat(32)

export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
export const hex = (text: string): Buffer => Buffer.from(text.replace(/\s+/g, ''), 'hex')
export const passwordOf = ({ events }: Conversation): unknown => events[0]?.fields['PASSWORD']

/** ERR_Packet. */
export function errorOf(
  packet: ServerPacket | undefined,
): { code: number; state: string; message: string } | undefined {
  const { payload } = packet ?? {}
  if (payload?.[0] !== 0xff) return undefined
  const [state, message] = payload[3] === 0x23 ? [payload.toString('latin1', 4, 9), 9] : ['', 3]
  return { code: payload.readUInt16LE(1), state, message: payload.toString('latin1', message) }
}

export const refusal = (conversation: Conversation) => errorOf(conversation.packets.at(-1))
export const denied = (user: string, password: 'YES' | 'NO') => ({
  code: 1045,
  state: '28000',
  message: `Access denied for user '${user}'@'203.0.113.9' (using password: ${password})`,
})
export const BAD_HANDSHAKE = { code: 1043, state: '08S01', message: 'Bad handshake' }
export const OLD_CLIENT = {
  code: 1251,
  state: '08004',
  message:
    'Client does not support authentication protocol requested by server; consider upgrading MySQL client',
}

/** Plug-ins are drawn by four random bytes: 0, 1 and 2 choose the three of MySQL 8.0. */
const drawing = (number: number) => ({
  random: (length: number) => (length === 4 ? Buffer.from([0, 0, 0, number]) : Buffer.alloc(length, 0x41)),
})
export const STRANGER = { sha2: drawing(0), native: drawing(1), sha256: drawing(2) }

export const sha2Login = (parts: Parameters<typeof login>[0] = {}): string =>
  framed(login({ plugin: SHA2, response: SCRAMBLE, ...parts }))

const digest = (...parts: readonly Buffer[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest()

/** As a client makes it. */
export function scrambleOf(password: string, salt: Buffer): string {
  const once = digest(Buffer.from(password))
  const sum = digest(digest(once), salt)
  return Buffer.from(once.map((value, at) => value ^ sum[at]!)).toString('latin1')
}

/** As a client encrypts it: with its NUL, combined with the salt. */
export function encrypted(password: string, salt: Buffer, key: Buffer): string {
  const combined = Buffer.from(
    Buffer.from(`${password}\0`).map((value, at) => value ^ salt[at % salt.length]!),
  )
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, combined).toString('latin1')
}
