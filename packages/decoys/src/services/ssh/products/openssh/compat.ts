// Clients that OpenSSH knows by their software version (compat.c, the same in all versions that we claim): scanners get
// no answer, and to some old clients it does not offer the key exchange methods that they have wrong.
import type { Offer } from '../../protocol/codec/kexinit.ts'

export type Compat = 'scanner' | { readonly withoutKex: readonly string[] }

const NONE: Compat = { withoutKex: [] }
/** X25519 secrets with a leading zero. */
const CURVE_PADDING: Compat = { withoutKex: ['curve25519-sha256@libssh.org'] }
/** Group exchange as in a draft of RFC 4419. */
const OLD_GROUP_EXCHANGE: Compat = { withoutKex: ['diffie-hellman-group-exchange-sha256'] }

/** The first that matches counts, so clients without effect here stand before patterns that match them too. */
const CLIENTS: readonly (readonly [software: RegExp, compat: Compat])[] = [
  [/^OpenSSH_6\.6\.1/, NONE],
  [/^OpenSSH_6\.[56]/, CURVE_PADDING],
  [
    /^(OpenSSH|Sun_SSH_1\.0|3\.0\.|3\.0 SecureCRT|1\.7 SecureFX|1\.2\.(18|19|2[0-2])|1\.3\.2|Cisco-1\.)/,
    NONE,
  ],
  [/MindTerm|SSH Compatible Server|OSU_0|^OSU_1\.([0-4]|5alpha[1-3])/, NONE],
  [/SSH_Version_Mapper/, 'scanner'],
  [/^(PuTTY_Local:|PuTTY-Release-0\.5|PuTTY_Release_0\.(5|6[0-4])|FuTTY)/, OLD_GROUP_EXCHANGE],
  [/^Probe-/, 'scanner'],
  [/^WinSCP_release_(4|5\.0|5\.[156](\.|$)|5\.7(\.[1-4])?$)/, OLD_GROUP_EXCHANGE],
]

/** `software`: what stands behind the protocol version, comments included. */
export const compatOf = (software: string): Compat =>
  CLIENTS.find(([pattern]) => pattern.test(software))?.[1] ?? NONE

/** What the server offers to such a client. */
export const compatOffer = (offer: Offer, { withoutKex }: Exclude<Compat, 'scanner'>): Offer => ({
  ...offer,
  kex: offer.kex.filter((name) => !withoutKex.includes(name)),
})
