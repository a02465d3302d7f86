// TLS as MariaDB of Debian 12 speaks it behind an SSLRequest, with the certificate of its machine.
import { pem, sequence, unsigned } from '@rookery/kernel/der.ts'
import { openSsl30 } from '../../openssl-3.0.ts'
import { machineCertificate } from '../../own/machine-certificate.ts'
import { storyOf } from '../../own/story.ts'
import type { BirdSettings, SessionContext } from '../../session.ts'
import type { TlsProfile, TlsServer } from '../../tls-server.ts'

/** MariaDB has a prime of its own for Diffie-Hellman, where OpenSSL would make one to fit the key. */
const PRIME = `
  a1bb7c20c55bc07b218bd6a815fc3bbaab9fdf68c479780dc11264e415c966db
  f6cbb339025b7862fb09ae096bddd45d97bcdc7fe6d6f1cbf5ebdaa72e5a432b
  e940e285001cc00a9877a931de0b754d1e1f1683cadebd21fcc1823736330b66
  063cf3af21575780f6941ba9d4f68f18620ec422f95b62cc3f1995cf4b00a66c
  0baf9fd5fa3d6dda30830791ac15ff8f5954ea25bc4eeb6a54df7509720fef23
  70e0a804eaff9054cd8418c07591990fa1780c07b7c5de55067b95682c3339bc
  2cd06dddfadcb58f8239f86744f1d8f778119a779b5347d62b5d67b8b7bcc1d7
  796215c2c58397a7f8b49cf68f9ac7da1bbb8707a771adb28a50f82612b73e0b
`
const GENERATOR = Buffer.from([2])

const diffieHellmanParameters = (): string => {
  const prime = Buffer.from(PRIME.replace(/\s+/g, ''), 'hex')
  return pem('DH PARAMETERS', sequence(unsigned(prime), unsigned(GENERATOR)))
}

/** Its versions are the library's: MariaDB allows TLS 1.1, Debian's OpenSSL does not. */
const MARIADB: TlsProfile = {
  name: 'mariadb-10.11',
  ...mariadbTls(),
  asksForCertificate: true,
  sessionSeconds: 300,
}

function mariadbTls(): Pick<TlsProfile, 'options' | 'retryGroups'> {
  const { options, retryGroups } = openSsl30({ hasTickets: true, ciphers: 'default', hasDiffieHellman: true })
  return { options: { ...options, dhparam: diffieHellmanParameters() }, ...(retryGroups && { retryGroups }) }
}

const HANDSHAKE_MS = 300_000

export const databaseTls = (
  settings: BirdSettings,
  { derive, now }: Pick<SessionContext, 'derive' | 'now'>,
): TlsServer => ({
  profile: MARIADB,
  certificate: machineCertificate(storyOf(settings, derive), derive, now()),
  handshakeMs: HANDSHAKE_MS,
})
