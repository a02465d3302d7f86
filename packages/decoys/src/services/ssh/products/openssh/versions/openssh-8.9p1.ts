// Ubuntu 22.04 (jammy), from public debug logs of clients and servers of this package.
import { KEX, OLD_SIGNATURES, STRICT, USUAL, type SshVersion } from '../../../protocol/version.ts'

export const openssh89: SshVersion = {
  software: 'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10',
  offer: {
    ...USUAL,
    kex: [...KEX.CURVES, 'sntrup761x25519-sha512@openssh.com', ...KEX.GROUPS, STRICT],
  },
  extensions: [
    ['server-sig-algs', OLD_SIGNATURES],
    ['publickey-hostbound@openssh.com', '0'],
  ],
}
