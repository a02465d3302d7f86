// How MySQL checks a password by the plug-ins of its accounts: what it asks a client for, until it refuses it. From the documents
// "Caching_sha2_password information", "SHA-256 authentication" and "Native authentication" of MySQL.
import type { Login } from './login-packet.ts'
import { SALT_BYTES } from './greeting.ts'
import type { Plugin } from './version.ts'

/** A login under way. */
export interface Exchange {
  readonly login: Login
  readonly plugin: Plugin
  readonly salt: Buffer
  /** What the client made of password and salt, as far as it has sent any. */
  readonly response: Buffer
  readonly awaits: 'response' | 'password' | 'encrypted password'
}

export type Move =
  | { readonly kind: 'switch'; readonly exchange: Exchange }
  /** The scramble is not in the cache: the client is to send its password. */
  | { readonly kind: 'full-authentication'; readonly exchange: Exchange }
  | { readonly kind: 'public-key'; readonly exchange: Exchange }
  | { readonly kind: 'decrypt'; readonly exchange: Exchange; readonly encrypted: Buffer }
  | {
      readonly kind: 'refuse'
      readonly exchange: Exchange
      readonly hasPassword: boolean
      /** The response has a length that the plug-in does not make. */
      readonly isMalformed?: true
      /** As sent through TLS. */
      readonly password?: Buffer
    }

export interface Surroundings {
  /** Of the greeting. */
  readonly defaultPlugin: Plugin
  readonly salt: Buffer
  readonly newSalt: () => Buffer
  readonly isSecure: boolean
}

const NATIVE: Plugin = 'mysql_native_password'
const SCRAMBLE_BYTES = 32
/** RSA of 2,048 bits. */
const ENCRYPTED_BYTES = 256
/** What a client sends that has no public key of the server. */
const PUBLIC_KEY_REQUEST: Readonly<Partial<Record<Plugin, number>>> = {
  caching_sha2_password: 2,
  sha256_password: 1,
}
const NOTHING = Buffer.alloc(0)

/** The first move behind a login packet; `plugin` is that of the account. */
export function begin(login: Login, plugin: Plugin, around: Surroundings): Move {
  const { defaultPlugin, salt, newSalt, isSecure } = around
  const exchange: Exchange = { login, plugin, salt, response: NOTHING, awaits: 'response' }
  // It cannot be asked to switch.
  if (login.plugin === undefined) return takeResponse(exchange, login.response, isSecure)
  if (plugin !== defaultPlugin)
    return { kind: 'switch', exchange: { ...exchange, salt: plugin === NATIVE ? salt : newSalt() } }
  return login.plugin.toLowerCase() === plugin
    ? takeResponse(exchange, login.response, isSecure)
    : { kind: 'switch', exchange }
}

/** The move behind each further packet. */
export function proceed(exchange: Exchange, payload: Buffer, isSecure: boolean): Move {
  switch (exchange.awaits) {
    case 'response':
      return takeResponse(exchange, payload, isSecure)
    case 'password':
      return takePassword(exchange, payload, isSecure)
    case 'encrypted password':
      return takeEncrypted(exchange, payload)
  }
}

const isEmpty = (payload: Buffer): boolean =>
  payload.length === 0 || (payload.length === 1 && payload[0] === 0)

function takeResponse(before: Exchange, payload: Buffer, isSecure: boolean): Move {
  const { plugin } = before
  if (plugin === NATIVE) {
    const exchange = { ...before, response: payload }
    if (payload.length === 0 || payload.length === SALT_BYTES)
      return { kind: 'refuse', exchange, hasPassword: payload.length > 0 }
    return { kind: 'refuse', exchange, hasPassword: true, isMalformed: true }
  }
  if (isEmpty(payload)) return { kind: 'refuse', exchange: before, hasPassword: false }
  if (plugin === 'sha256_password') return takePassword(before, payload, isSecure)
  const exchange = { ...before, response: Buffer.from(payload), awaits: 'password' } as const
  return payload.length === SCRAMBLE_BYTES
    ? { kind: 'full-authentication', exchange }
    : { kind: 'refuse', exchange, hasPassword: true }
}

function takePassword(exchange: Exchange, payload: Buffer, isSecure: boolean): Move {
  if (isSecure) return { kind: 'refuse', exchange, hasPassword: true, password: untilNul(payload) }
  if (payload.length === 1 && payload[0] === PUBLIC_KEY_REQUEST[exchange.plugin])
    return { kind: 'public-key', exchange: { ...exchange, awaits: 'encrypted password' } }
  return takeEncrypted(exchange, payload)
}

const takeEncrypted = (exchange: Exchange, payload: Buffer): Move =>
  payload.length === ENCRYPTED_BYTES
    ? { kind: 'decrypt', exchange, encrypted: Buffer.from(payload) }
    : { kind: 'refuse', exchange, hasPassword: true }

/** A password ends with a NUL; what stands behind it is no part of it. */
function untilNul(payload: Buffer): Buffer {
  const end = payload.indexOf(0)
  return end < 0 ? payload : payload.subarray(0, end)
}

/** Password and salt are combined by XOR before they are encrypted. */
export const withoutSalt = (combined: Buffer, salt: Buffer): Buffer =>
  untilNul(Buffer.from(combined.map((value, at) => value ^ salt[at % salt.length]!)))
