// Ubuntu 22.04 (jammy), from public debug logs of clients and servers of this package.
import { CIPHERS, COMPRESSION, KEX, MACS, STRICT, type SshVersion } from './version.ts'

export const openssh89: SshVersion = {
  software: 'OpenSSH_8.9p1 Ubuntu-3ubuntu0.10',
  offer: {
    kex: [...KEX.CURVES, 'sntrup761x25519-sha512@openssh.com', ...KEX.GROUPS, STRICT],
    hostKeys: ['rsa-sha2-512', 'rsa-sha2-256', 'ecdsa-sha2-nistp256', 'ssh-ed25519'],
    ciphers: CIPHERS,
    macs: MACS,
    compression: COMPRESSION,
  },
  extensions: [
    [
      'server-sig-algs',
      'ssh-ed25519,sk-ssh-ed25519@openssh.com,ssh-rsa,rsa-sha2-256,rsa-sha2-512,ssh-dss,ecdsa-sha2-nistp256,' +
        'ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,sk-ecdsa-sha2-nistp256@openssh.com,' +
        'webauthn-sk-ecdsa-sha2-nistp256@openssh.com',
    ],
    ['publickey-hostbound@openssh.com', '0'],
  ],
}
