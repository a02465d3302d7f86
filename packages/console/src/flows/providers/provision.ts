// Makes what a token plants at its provider, in two phases: a row that says so, then the provider, then the token's row. What a
// crash or a failure leaves behind is revoked.
import { Fault } from '@rookery/kernel/fault.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import type { ProvisionedResource, ProvisionRequest } from '@rookery/tokens/provider.ts'
import type { AppContext } from '../../app-context.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import {
  abandonResource,
  addResource,
  hasRemoteId,
  removeResource,
  type Activation,
} from '../../stores/providers/resources.store.ts'
import { sealHandle } from './handle-at-rest.ts'
import type { ProviderRegistry } from './registry.ts'

export interface Provisioned extends Pick<ProvisionedResource, 'issued' | 'shownOnce'> {
  /** Stored in the transaction that writes the token's row. */
  readonly activation: Activation
}

export interface Provisioner {
  /** A `conflict` says which options of the provider are missing. */
  check(provider: string): Promise<void>
  /** Resolves once the provider has made it. */
  provision(provider: string, request: Omit<ProvisionRequest, 'derive' | 'feedUrl'>): Promise<Provisioned>
  /** The token was not created: what was made for it is revoked. */
  abandon(provisioned: Provisioned): Promise<void>
}

export interface ProvisionerDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world' | 'log'> {
  readonly registry: Pick<ProviderRegistry, 'client'>
  /** Where a provider sends events to. */
  readonly feedUrl: (provider: string) => string
  /** Called after the commit: something is to be revoked. */
  readonly wakeReconciler: () => void
}

/** A creation that takes longer is lost: its console has stopped. */
const LOST_AFTER_MS = 300_000
/** What the provider makes after the time limit of a call must be there when it is searched. */
const LATE_ANSWER_MS = 60_000

export function provisioner(deps: ProvisionerDeps): Provisioner {
  const { reader, writer, vault, world, log, registry, feedUrl, wakeReconciler } = deps
  const { clock } = world

  async function revokeLater(tokenId: string, known: Parameters<typeof abandonResource>[2]): Promise<void> {
    try {
      await writer.write((tx) => abandonResource(tx, tokenId, known))
      wakeReconciler()
    } catch (error) {
      log.warn({ err: error, tokenId }, 'a creation of a token failed; what was made for it is revoked later')
    }
  }

  const forget = (tokenId: string): Promise<void> => writer.write((tx) => removeResource(tx, tokenId))

  return {
    check: async (provider) => void (await registry.client(provider)),
    async provision(provider, request) {
      const client = await registry.client(provider)
      const { tokenId, kind } = request
      const now = clock.now()
      await writer.write((tx) =>
        addResource(tx, {
          token_id: tokenId,
          provider,
          kind,
          created_at: now,
          due_at: now + LOST_AFTER_MS,
        }),
      )
      let made: ProvisionedResource
      try {
        made = await client.provision({
          ...request,
          derive: deriver(kind, seedOf(vault, tokenId)),
          feedUrl: feedUrl(provider),
        })
        if (made.remoteId === '') throw unnamed(provider)
      } catch (error) {
        // Refused for its parameters, it has made nothing.
        if (error instanceof Fault && error.code === 'bad-input') await forget(tokenId)
        else await revokeLater(tokenId, { due_at: clock.now() + LATE_ANSWER_MS })
        throw error
      }
      const { remoteId, handle = '', issued, shownOnce, endsAt = 0, expiresAt = 0 } = made
      if (await hasRemoteId(reader, provider, remoteId)) {
        await forget(tokenId)
        throw usedTwice(provider, remoteId)
      }
      // Its revocation would end what this token plants.
      if (await hasRemoteId(reader, provider, remoteId, 'revoking')) {
        await forget(tokenId)
        throw stillRevoked(provider, remoteId)
      }
      return {
        issued,
        ...(shownOnce && { shownOnce }),
        activation: {
          token_id: tokenId,
          provider,
          remote_id: remoteId,
          due_at: endsAt,
          expires_at: expiresAt,
          sealed_handle: sealHandle(vault, tokenId, handle),
        },
      }
    },
    async abandon({ activation: { token_id, provider, remote_id, sealed_handle } }) {
      // It is another token's: that one keeps it.
      if (await hasRemoteId(reader, provider, remote_id)) await forget(token_id)
      else await revokeLater(token_id, { due_at: clock.now(), remote_id, sealed_handle })
    },
  }
}

const unnamed = (provider: string): Fault =>
  new Fault(
    'unavailable',
    `The provider ${provider} did not say what it has made, so nothing is planted. Try again later.`,
  )

const stillRevoked = (provider: string, remoteId: string): Fault =>
  new Fault(
    'conflict',
    `${remoteId} of the provider ${provider} is still being revoked for a token that was deleted: try again once decoytokens/channels shows none to revoke.`,
  )

const usedTwice = (provider: string, remoteId: string): Fault =>
  new Fault(
    'conflict',
    `${remoteId} of the provider ${provider} is planted by another token: delete that one first.`,
  )
