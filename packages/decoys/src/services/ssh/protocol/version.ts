// What differs between versions of OpenSSH, and what does not.
import type { Offer } from './codec/kexinit.ts'

/** What one version of OpenSSH sends in its distribution's default configuration. */
export interface SshVersion {
  /** The part of its identification after `SSH-2.0-`. */
  readonly software: string
  /** Lists in the order of its KEXINIT. */
  readonly offer: Offer
  /** Its SSH_MSG_EXT_INFO (RFC 8308), in order. */
  readonly extensions: readonly (readonly [name: string, value: string])[]
  /** Knows SSH_MSG_PING and PONG (OpenSSH PROTOCOL, 1.9), and answers none before a login. */
  readonly hasPing?: true
  /** Reads the client's SSH_MSG_EXT_INFO, and sends its own once more behind the first request (ext-info-in-auth). */
  readonly readsExtInfo?: true
  /** LoginGraceTime lasts up to 4 s longer, by chance. */
  readonly hasGraceJitter?: true
  /** Refuses sources whose connections failed (PerSourcePenalties). */
  readonly hasPenalties?: true
}

export const CIPHERS = [
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
] as const

const MACS = [
  'umac-64-etm@openssh.com',
  'umac-128-etm@openssh.com',
  'hmac-sha2-256-etm@openssh.com',
  'hmac-sha2-512-etm@openssh.com',
  'hmac-sha1-etm@openssh.com',
  'umac-64@openssh.com',
  'umac-128@openssh.com',
  'hmac-sha2-256',
  'hmac-sha2-512',
  'hmac-sha1',
] as const

/** What all versions of this folder offer, but those that say otherwise. */
export const USUAL = {
  hostKeys: ['rsa-sha2-512', 'rsa-sha2-256', 'ecdsa-sha2-nistp256', 'ssh-ed25519'],
  ciphers: CIPHERS,
  macs: MACS,
  compression: ['none', 'zlib@openssh.com'],
} as const

const CURVES = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
] as const

const GROUPS = [
  'diffie-hellman-group-exchange-sha256',
  'diffie-hellman-group16-sha512',
  'diffie-hellman-group18-sha512',
  'diffie-hellman-group14-sha256',
] as const

/** The server's mark of the strict key exchange (CVE-2023-48795). */
export const STRICT = 'kex-strict-s-v00@openssh.com'

/** Says that it reads SSH_MSG_EXT_INFO (RFC 8308, 2.1); versions from 9.6 on send it. */
export const EXT_INFO = 'ext-info-s'

/** `server-sig-algs` up to 8.9. */
export const OLD_SIGNATURES =
  'ssh-ed25519,sk-ssh-ed25519@openssh.com,ssh-rsa,rsa-sha2-256,rsa-sha2-512,ssh-dss,ecdsa-sha2-nistp256,' +
  'ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,sk-ecdsa-sha2-nistp256@openssh.com,' +
  'webauthn-sk-ecdsa-sha2-nistp256@openssh.com'

/** `server-sig-algs` from 9.6 on. */
export const SIGNATURES =
  'ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,sk-ssh-ed25519@openssh.com,' +
  'sk-ecdsa-sha2-nistp256@openssh.com,rsa-sha2-512,rsa-sha2-256'

export const KEX = { CURVES, GROUPS } as const
