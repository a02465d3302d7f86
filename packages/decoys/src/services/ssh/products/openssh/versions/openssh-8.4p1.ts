// Debian 11 (bullseye). It still signs with ssh-rsa, and has neither the hybrid exchange nor host-bound keys by default.
import { KEX, OLD_SIGNATURES, STRICT, USUAL, type SshVersion } from '../../../protocol/version.ts'

export const openssh84: SshVersion = {
  software: 'OpenSSH_8.4p1 Debian-5+deb11u3',
  offer: {
    ...USUAL,
    kex: [...KEX.CURVES, ...KEX.GROUPS, STRICT],
    hostKeys: ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'ssh-ed25519'],
  },
  extensions: [['server-sig-algs', OLD_SIGNATURES]],
}
