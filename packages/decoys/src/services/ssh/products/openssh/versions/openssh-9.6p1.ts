// Ubuntu 24.04 (noble), from public records of its KEXINIT and debug logs of clients.
import { EXT_INFO, KEX, SIGNATURES, STRICT, USUAL, type SshVersion } from '../../../protocol/version.ts'

export const openssh96: SshVersion = {
  software: 'OpenSSH_9.6p1 Ubuntu-3ubuntu13.18',
  offer: {
    ...USUAL,
    kex: ['sntrup761x25519-sha512@openssh.com', ...KEX.CURVES, ...KEX.GROUPS, EXT_INFO, STRICT],
  },
  extensions: [
    ['server-sig-algs', SIGNATURES],
    ['publickey-hostbound@openssh.com', '0'],
    ['ping@openssh.com', '0'],
  ],
  hasPing: true,
  readsExtInfo: true,
}
