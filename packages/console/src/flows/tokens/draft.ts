// A token before it exists: what was asked for is checked, and what was uploaded is stored.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { isDomainName } from '@rookery/tokens/domain-name.ts'
import { readSettings, type TokenSettings } from '@rookery/tokens/settings.ts'
import { providerNeeded, type TokenAddress, type TokenKind } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import { newTokenId } from '../../secrets/token-id.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { newAddress, originFor, withDomain, type TokenOrigin } from './address.ts'
import type { TokenCare } from './care.ts'
import { checkTargets, type TargetDeps } from './check-targets.ts'
import { kindNamed } from './kinds.ts'
import { takeUploads, type UploadDeps } from './take-uploads.ts'

export interface TokenRequest {
  readonly kind: string
  readonly memo: string
  readonly flockId: string
  /** Instead of the console's own domain. */
  readonly customDomain?: string | undefined
  readonly care: TokenCare
  /** Everything else that the caller gave; the kind takes what it knows. */
  readonly given: Readonly<Record<string, unknown>>
  /** Key id of the caller. */
  readonly createdBy: string
  /** Key id of the factory; empty when an API key creates it. */
  readonly factoryKeyId: string
  /** Makes the row of the audit trail, which is written with the token. */
  readonly trail: (
    flock: { readonly flockId: string; readonly flockName: string },
    facts: { readonly decoytoken: string },
  ) => AuditEntry
}

export interface Draft {
  readonly request: TokenRequest
  readonly kind: TokenKind
  readonly origin: TokenOrigin
  readonly address: TokenAddress
  readonly settings: TokenSettings
  /** Undefined for a token that needs none. */
  readonly provider: string | undefined
}

export interface DraftDeps extends Pick<AppContext, 'reader' | 'vault' | 'world'>, UploadDeps, TargetDeps {
  /** Throws a `conflict` for a provider that is not configured. */
  readonly provisioner: { check(provider: string): Promise<void> }
  /** Makes ready for the download that follows a creation. */
  readonly warmForge: (kind: string) => void
  /** The provider that a token needs; undefined for none. */
  readonly providerOf?: typeof providerNeeded
}

/** In a host name, which has at most 253 characters, an id of 25 and a dot stand before it. */
const MAX_DOMAIN_CHARACTERS = 200

/** Stores what was uploaded, once the kind can use it. */
export async function draftOf(
  request: TokenRequest,
  deps: DraftDeps,
  consoleOrigin: TokenOrigin,
): Promise<Draft> {
  const { reader, vault, world } = deps
  const kind = kindNamed(request.kind)
  const origin = originOf(request, originFor(consoleOrigin, kind.descriptor))
  const given = readSettings(kind.descriptor, request.given)
  const provider = (deps.providerOf ?? providerNeeded)(kind, given)
  if (provider !== undefined) {
    await deps.provisioner.check(provider)
    await existingFlock(reader, 'all', request.flockId)
  }
  const address = newAddress(newTokenId(world.random, vault), origin, world.random, kind.descriptor)
  checkTargets(deps, kind.descriptor, given, address)
  const subject = { kind: request.kind, address, settings: given, issued: {} }
  const caller = { keyId: request.createdBy, isFactory: request.factoryKeyId !== '' }
  const settings = await takeUploads(deps, kind.descriptor, subject, caller)
  if (kind.descriptor.downloads) deps.warmForge(request.kind)
  // What the kind cannot plant is refused before its provider makes anything.
  if (provider !== undefined) kind.renders(address, settings, {})
  return { request, kind, origin, address, settings, provider }
}

/** What a provider issues is asked for while the caller waits, one by one. */
export function refuseIssued(
  request: TokenRequest,
  { providerOf = providerNeeded }: Pick<DraftDeps, 'providerOf'>,
): void {
  const kind = kindNamed(request.kind)
  const provider = providerOf(kind, readSettings(kind.descriptor, request.given))
  if (provider === undefined) return
  throw invalidParameter('kind', `is issued by the provider ${provider}: create such tokens one by one`)
}

function originOf({ customDomain }: TokenRequest, origin: TokenOrigin): TokenOrigin {
  if (customDomain === undefined) return origin
  if (isDomainName(customDomain, MAX_DOMAIN_CHARACTERS)) return withDomain(origin, customDomain)
  throw invalidParameter(
    'custom_domain',
    `must be a domain name of at most ${MAX_DOMAIN_CHARACTERS} characters, such as files.example.com, not ${JSON.stringify(customDomain.slice(0, 64))}`,
  )
}
