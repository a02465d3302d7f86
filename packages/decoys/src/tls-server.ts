// How a decoy speaks TLS: as the server that it claims. The host (`host/tls-channel.ts`) does it.
import type { SecureContextOptions } from 'node:tls'
import type { Certificate } from './own/certificate.ts'

export interface TlsServer {
  readonly profile: TlsProfile
  /** The handshake waits for it. */
  readonly certificate: Certificate | Promise<Certificate>
  /** How long a peer may take for its handshake before the host closes. */
  readonly handshakeMs: number
  /**
   * Where records do not follow each other bare (TDS puts them into packets of its own): a decoder and an encoder for one
   * connection.
   */
  readonly packets?: () => TlsPackets
}

export interface TlsPackets {
  /** Records among the bytes of the peer; bytes of an incomplete packet are kept for the next call. */
  readonly unwrap: (bytes: Buffer) => Buffer
  readonly wrap: (records: Buffer) => Buffer
  /** After the handshake records follow each other bare, as in TDS 7. */
  readonly isHandshakeOnly?: boolean
}

/** What a server's TLS library and configuration make of a ClientHello. */
export interface TlsProfile {
  readonly name: string
  /** Versions, ciphers, groups, signature algorithms and options. */
  readonly options: SecureContextOptions
  /** For clients that offer no more than TLS 1.1, if the server refuses them in its own way. */
  readonly oldClients?: SecureContextOptions
  /** Protocols that the server chooses from. A client that offers none of them is served without ALPN. */
  readonly alpn?: readonly string[]
  /** Seconds for which a session may be resumed by its id; 0: never. */
  readonly sessionSeconds: number
}

/** What a handshake agreed on. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly version: string
  /** Its name at IANA, such as `TLS_AES_128_GCM_SHA256`. */
  readonly cipher: string
  /** The name that the client asked for (SNI); empty if none. */
  readonly serverName: string
  /** The protocol of ALPN; empty if none. */
  readonly protocol: string
}

export interface TlsFailure {
  /** OpenSSL's reason, such as `ERR_SSL_HTTP_REQUEST`. */
  readonly code: string
  /** What the peer sent first, at most 4 KiB. */
  readonly firstBytes: Buffer
}
