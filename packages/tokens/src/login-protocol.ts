// A protocol whose client names a user before anything else: what its server says until then. All of it is pure.

/** What the bytes of a client mean so far. */
export type LoginStep<L> =
  /** Read again once so many bytes are there. */
  | { readonly name: 'incomplete'; readonly bytes: number }
  /** A request before the login, of so many bytes; after its answer the client goes on. */
  | { readonly name: 'request'; readonly bytes: number; readonly answer: Uint8Array }
  /** `refusal` is the answer to a login that is wrong in itself, where it names a token, too. */
  | {
      readonly name: 'login'
      readonly login: L
      readonly refusal?: Uint8Array
      readonly question?: Question<L>
    }
  /** No login will come. The answer, which may be empty, is the last one. */
  | { readonly name: 'refused'; readonly answer: Uint8Array }

/** What a server asks behind a login before it refuses it. */
export interface Question<L> {
  /** Of the login; the reply stands behind them. */
  readonly loginBytes: number
  /** With the random bytes of the greeting. */
  ask(random: Uint8Array): Uint8Array
  /** Reads the reply; the login is that of before, with what the reply says. */
  read(bytes: Buffer): LoginStep<L>
}

/** How a handshake ends. */
export type LoginEnd<L> = Extract<LoginStep<L>, { name: 'login' | 'refused' }>

export interface LoginProtocol<L> {
  /** What the server sends first; empty where the client does. `random` has `RANDOM_BYTES`. */
  greeting(connectionId: number, random: Uint8Array): Uint8Array
  /** Reads the front of the bytes; garbage is refused, and never throws. */
  read(bytes: Buffer): LoginStep<L>
}

export const RANDOM_BYTES = 20

/** All that one client may send up to its login. Attributes of MySQL clients take half a KiB, PostgreSQL allows 10,000 bytes. */
export const MAX_LOGIN_BYTES = 16 * 1024

/** A text of a login is kept up to here. */
const TEXT_CHARACTERS = 256

/** Read as UTF-8. */
export const loginText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').slice(0, TEXT_CHARACTERS)
