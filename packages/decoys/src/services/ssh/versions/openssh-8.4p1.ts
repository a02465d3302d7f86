// Debian 11 (bullseye). It still signs with ssh-rsa, and has neither the hybrid exchange nor host-bound keys by default.
import { CIPHERS, COMPRESSION, KEX, MACS, STRICT, type SshVersion } from './version.ts'

export const openssh84: SshVersion = {
  software: 'OpenSSH_8.4p1 Debian-5+deb11u3',
  offer: {
    kex: [...KEX.CURVES, ...KEX.GROUPS, STRICT],
    hostKeys: ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'ssh-ed25519'],
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
  ],
}
