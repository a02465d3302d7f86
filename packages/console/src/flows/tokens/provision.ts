// What a draft becomes: what its provider issues for it, and the row of the token.
import { deriver } from '@rookery/tokens/derive.ts'
import type { AppContext } from '../../app-context.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import { fileIdsOf } from '../files/uploads.ts'
import type { Provisioned, Provisioner } from '../providers/provision.ts'
import { newCare } from './care.ts'
import type { Draft } from './draft.ts'
import { sealIssued } from './issued-at-rest.ts'
import { rendersColumn, sealSettings } from './settings-at-rest.ts'
import type { PreparedToken } from './store-tokens.ts'

/** Undefined for a token that needs no provider. */
export async function provisionFor(
  { request: { kind, memo }, address, settings, provider }: Draft,
  { provisioner }: { readonly provisioner: Pick<Provisioner, 'provision'> },
): Promise<Provisioned | undefined> {
  if (provider === undefined) return undefined
  return provisioner.provision(provider, { tokenId: address.tokenId, kind, memo, address, settings })
}

/** The row is without its numbers, which the transaction gives it. */
export function rowOf(
  { request, kind, origin, address, settings }: Draft,
  { vault, world }: Pick<AppContext, 'vault' | 'world'>,
  provisioned: Provisioned | undefined,
): Omit<PreparedToken, 'provisioned'> {
  const { tokenId } = address
  const given = provisioned?.issued ?? {}
  const issued = sealIssued(vault, tokenId, given)
  const row = {
    token_id: tokenId,
    number: 0,
    kind: request.kind,
    memo: request.memo,
    flock_id: request.flockId,
    settings: sealSettings(vault, tokenId, settings, kind.descriptor.settings),
    renders: rendersColumn(kind.renders(address, settings, given), kind.descriptor.settings, issued),
    issued,
    url: address.url,
    hostname: address.hostname,
    peer_key: kind.peerKey?.(deriver(request.kind, seedOf(vault, tokenId))) ?? '',
    mysql: origin.mysql,
    postgres: origin.postgres,
    enabled: 1,
    ...newCare(request.care, { keyId: request.createdBy, at: world.clock.now() }),
    created_at: world.clock.now(),
    created_by: request.createdBy,
    factory_key_id: request.factoryKeyId,
    triggered_count: 0,
    touched_at: 0,
    updated_id: 0,
  }
  return { row, fileIds: fileIdsOf(settings), trail: request.trail }
}
