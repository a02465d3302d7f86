// How a decoy speaks TLS: as the server that it claims. The host (`host/tls/channel.ts`) does it.
import type { SecureContextOptions } from 'node:tls'
import type { ClientHello } from '../host/tls/client-hello.ts'
import type { Certificate } from '../machine/certificate.ts'

export interface TlsServer {
  readonly profile: TlsProfile
  /** The handshake waits for it. */
  readonly certificate: Certificate | Promise<Certificate>
  /** The name by which it knows itself. */
  readonly ownName?: string
  /** How long a peer may take for its handshake before the host closes. */
  readonly handshakeMs: number
  /** What the peer sent first is no TLS, and the server reads on before it refuses it. */
  readonly readsOn?: (firstBytes: Buffer) => boolean
  /**
   * Where records do not follow each other bare (TDS puts them into packets of its own): a decoder and an encoder for one
   * connection.
   */
  readonly packets?: () => TlsPackets
}

export interface TlsPackets {
  /**
   * Records among the bytes of the peer; bytes of an incomplete packet are kept for the next call. It is called without bytes, too,
   * once a record is decrypted.
   */
  readonly unwrap: (bytes: Buffer) => Buffer
  readonly wrap: (records: Buffer) => Buffer
  /** Bytes of the peer that are kept: the session gets them when it takes TLS away. */
  readonly kept?: () => Buffer
}

/** What a server's TLS library and configuration make of a ClientHello. */
export interface TlsProfile {
  readonly name: string
  /** Versions, ciphers, groups, signature algorithms and options. */
  readonly options: SecureContextOptions
  /**
   * Groups by their numbers at IANA: a HelloRetryRequest asks for the first that the client knows, as OpenSSL 3.0 does. Later
   * releases go by the client's order.
   */
  readonly retryGroups?: ReadonlyMap<number, string>
  /**
   * Ciphers of TLS 1.0 and 1.1 that the configuration allows, although the library's security level refuses both. Absent
   * where the configuration allows neither version.
   */
  readonly oldCiphers?: readonly number[]
  /** What the server chooses if a client asks for protocols (RFC 7301): the first of these that the client knows. */
  readonly alpn?: {
    readonly protocols: readonly string[]
    /** The first of the client that is among them, in the place of the first of these. */
    readonly isByClient?: true
    /**
     * To a client that offers none of them: ends the handshake, as the RFC demands, goes on without, or names the first all
     * the same (mod_ssl).
     */
    readonly otherwise: 'refuse' | 'ignore' | 'insist'
  }
  /** The server asks for a certificate of the client, and goes on without one. */
  readonly asksForCertificate?: boolean
  /** It looks at the name that a client asks for, and acknowledges it (RFC 6066, 3): each, or the server's own alone. */
  readonly acknowledgesName?: 'each' | 'own'
  /** The server ends the handshake with such a client, although OpenSSL would go on. */
  readonly refuses?: (hello: ClientHello) => boolean
  /** A handshake that fails ends with close_notify, whatever was wrong; absent: with the error alert of OpenSSL. */
  readonly failsBy?: 'close_notify'
  /** What the server does besides sending its close_notify, and a FIN, when the peer has ended TLS or broken it. */
  readonly ends?: {
    /** Its close_notify is left out: when the peer has ended in any way, or always but behind the peer's bare FIN. */
    readonly withoutNotify?: 'ended' | 'uncut'
    /** What the peer sent behind a broken record is not read, so that the close is a reset. */
    readonly leavesUnread?: true
  }
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
  /**
   * OpenSSL's reason, such as `ERR_SSL_HTTP_REQUEST`; `ERR_TLS_HANDSHAKE_ENDED` when the peer ended first,
   * `ERR_TLS_HANDSHAKE_TIMEOUT` when nothing came for the session's `idleMs`.
   */
  readonly code: string
  /** What the peer sent first, at most 16 KiB. */
  readonly firstBytes: Buffer
}
