// Debian 13 (trixie). Its package is 1:10.0p1-7+deb13u4, and calls itself 10.0p2. From public debug logs and release notes.
import {
  CIPHERS,
  EXT_INFO,
  KEX,
  SIGNATURES,
  STRICT,
  USUAL,
  type SshVersion,
} from '../../../protocol/version.ts'

const [CHACHA, ...AES] = CIPHERS

export const openssh100: SshVersion = {
  software: 'OpenSSH_10.0p2 Debian-7+deb13u4',
  offer: {
    ...USUAL,
    kex: [
      'mlkem768x25519-sha256',
      'sntrup761x25519-sha512',
      'sntrup761x25519-sha512@openssh.com',
      ...KEX.CURVES,
      EXT_INFO,
      STRICT,
    ],
    // Since 10.0 it prefers GCM to CTR.
    ciphers: [
      CHACHA,
      ...AES.filter((name) => name.includes('gcm')),
      ...AES.filter((name) => name.endsWith('ctr')),
    ],
  },
  extensions: [
    ['server-sig-algs', SIGNATURES],
    ['publickey-hostbound@openssh.com', '0'],
    ['ping@openssh.com', '0'],
  ],
  hasPing: true,
  readsExtInfo: true,
  hasGraceJitter: true,
  hasPenalties: true,
}
