// What NEGOTIATE offers ([MS-SMB2] 3.3.5.3 and 3.3.5.4), and what is kept of it.
import { fileTime } from '../../../../windows/filetime.ts'
import { serverOffer } from '../../../../windows/spnego.ts'
import { DIALECT, type Dialect } from '../codec/dialect.ts'
import { CAPABILITY, securityModeOf, WILDCARD, writeNegotiate } from '../codec/negotiate.ts'
import type { ShareMachine } from '../machine.ts'
import { usualSigning } from '../signing/sign.ts'
import type { Negotiated } from '../state.ts'

/** `optional`: what it has, from 3.0 on, if the client has it. */
export function capabilitiesFor(dialect: number, wanted: number, optional: number): number {
  if (dialect === DIALECT.v202) return CAPABILITY.dfs
  const always = CAPABILITY.dfs | CAPABILITY.leasing | CAPABILITY.largeMtu
  return dialect < DIALECT.v300 ? always : always | (wanted & optional)
}

interface Offer {
  readonly dialect: number
  readonly capabilities: number
  readonly maxSize: number
  readonly hasKerberos: boolean
  /** Encoded contexts of 3.1.1. */
  readonly contexts?: readonly Buffer[]
}

/** The answer's body. */
export const offerOf = (
  machine: ShareMachine,
  now: number,
  { dialect, capabilities, maxSize, hasKerberos, contexts = [] }: Offer,
): Buffer =>
  writeNegotiate({
    securityMode: securityModeOf(machine),
    dialect,
    serverGuid: machine.guid,
    capabilities,
    maxSize,
    systemTime: fileTime(now),
    token: serverOffer(hasKerberos),
    contexts,
  })

export const agreedOn = (
  machine: ShareMachine,
  dialect: Dialect,
  capabilities: number,
  client: Negotiated['client'],
  signing = usualSigning(dialect),
): Negotiated => ({ dialect, signing, capabilities, securityMode: securityModeOf(machine), client })

/** To which dialect of SMB2 those of an SMB1 negotiation lead: one that is negotiated then, or 2.0.2. */
export function upgradeOf(dialects: readonly string[]): typeof WILDCARD | typeof DIALECT.v202 | undefined {
  if (dialects.includes('SMB 2.???')) return WILDCARD
  return dialects.includes('SMB 2.002') ? DIALECT.v202 : undefined
}

/** Who negotiated by SMB1 said nothing of itself. */
export const SMB1_CLIENT: Negotiated['client'] = {
  capabilities: 0,
  guid: Buffer.alloc(16),
  securityMode: 0,
  dialects: [DIALECT.v202],
}
