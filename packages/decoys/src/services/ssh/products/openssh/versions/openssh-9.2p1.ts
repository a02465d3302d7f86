// Debian 12 (bookworm), recorded from openssh-server 1:9.2p1-2+deb12u10.
import { KEX, STRICT, USUAL, type SshVersion } from '../../../protocol/version.ts'

export const openssh92: SshVersion = {
  software: 'OpenSSH_9.2p1 Debian-2+deb12u10',
  offer: {
    ...USUAL,
    kex: [
      'sntrup761x25519-sha512',
      'sntrup761x25519-sha512@openssh.com',
      ...KEX.CURVES,
      ...KEX.GROUPS,
      STRICT,
    ],
  },
  extensions: [
    [
      'server-sig-algs',
      'ssh-ed25519,sk-ssh-ed25519@openssh.com,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,' +
        'sk-ecdsa-sha2-nistp256@openssh.com,webauthn-sk-ecdsa-sha2-nistp256@openssh.com,ssh-dss,ssh-rsa,' +
        'rsa-sha2-256,rsa-sha2-512',
    ],
    ['publickey-hostbound@openssh.com', '0'],
  ],
}
