// The console's own access to Microsoft Graph (OAuth 2.0 client credentials, RFC 6749, 4.4).
import { Fault } from '@rookery/kernel/fault.ts'
import type { ProviderWorld } from '../../provider.ts'
import { callProvider, numberOf, reasonText, textOf } from '../../provider-call.ts'
import { clientAssertion } from './client-assertion.ts'

export interface EntraAccount {
  readonly tenantId: string
  readonly clientId: string
  /** A client secret, or a certificate with its private key as PEM. */
  readonly credential: string
  /** Base addresses without a path. */
  readonly loginUrl: string
  readonly graphUrl: string
}

/** A token is renewed so long before it expires. */
const MARGIN_MS = 5 * 60_000

/** The value of an `Authorization` header; asked for anew when the last one expires. */
export type GetAccess = () => Promise<string>

export function openAccess(world: ProviderWorld, account: EntraAccount): GetAccess {
  let current = { header: '', renewAt: 0 }
  return async () => {
    const now = world.clock.now()
    if (now >= current.renewAt) {
      const { token, lifetimeS } = await requestToken(world, account)
      current = { header: `Bearer ${token}`, renewAt: now + lifetimeS * 1000 - MARGIN_MS }
    }
    return current.header
  }
}

async function requestToken(
  world: ProviderWorld,
  account: EntraAccount,
): Promise<{ readonly token: string; readonly lifetimeS: number }> {
  const url = `${account.loginUrl}/${account.tenantId}/oauth2/v2.0/token`
  const form = {
    client_id: account.clientId,
    grant_type: 'client_credentials',
    scope: `${account.graphUrl}/.default`,
    ...proofOf(world, account, url),
  }
  const { status, json } = await callProvider(world, 'Microsoft Entra', {
    url,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const token = textOf(json, 'access_token')
  if (status !== 200 || token === '')
    throw new Fault(
      'unavailable',
      `Microsoft Entra gave the console no access (${status}): ${reasonText(json['error_description'] ?? json['error'])}`,
    )
  return { token, lifetimeS: numberOf(json, 'expires_in') ?? 0 }
}

function proofOf(
  { clock, random }: ProviderWorld,
  { clientId, credential }: EntraAccount,
  audience: string,
): Readonly<Record<string, string>> {
  if (!credential.includes('-----BEGIN ')) return { client_secret: credential }
  try {
    const facts = { clientId, audience, at: clock.now(), id: random.bytes(16) }
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: clientAssertion(credential, facts),
    }
  } catch (cause) {
    throw new Fault(
      'unavailable',
      'ROOKERY_ENTRA_CREDENTIAL must be a client secret, or the PEM of a certificate and its private key without a passphrase.',
      { cause },
    )
  }
}
