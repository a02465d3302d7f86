// A provider: an account of the operator's at a service that issues what some kinds plant, and reports its use. Each has a
// folder below `providers/`, whose `provider.ts` is loaded once it is configured and needed.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Derive } from './derive.ts'
import type { IssuedValues } from './issued-values.ts'
import type { ProviderDescriptor } from './provider-descriptor.ts'
import type { TokenSettings } from './settings.ts'
import type { TokenAddress } from './token.ts'

/** All that a client may use of the world: its requests go through the guard of `outbound`. */
export type ProviderWorld = Pick<World, 'clock' | 'random' | 'outbound'>

export interface ProvisionRequest {
  /** Names the resource at the provider, so that it is found again where the answer was lost. */
  readonly tokenId: string
  readonly kind: string
  readonly memo: string
  readonly address: TokenAddress
  readonly settings: TokenSettings
  readonly derive: Derive
  /** Where the provider can send events to. */
  readonly feedUrl: string
}

export interface ProvisionedResource {
  /** By it events name the resource. */
  readonly remoteId: string
  /** What else `revoke` needs, such as a key; stored sealed. */
  readonly handle?: string
  readonly issued: IssuedValues
  /** When it is revoked though its token stays, milliseconds; absent for never. */
  readonly endsAt?: number
  /** When it stops working by itself, milliseconds; absent for never. An incident says so 30 days before. */
  readonly expiresAt?: number
  /** Texts for the answer of the creation alone: nothing stores them. */
  readonly shownOnce?: Readonly<Record<string, string>>
}

/** A resource to be revoked. */
export interface RemoteResource {
  readonly tokenId: string
  readonly kind: string
  /** Empty where the answer of `provision` was lost: then it may exist, and is found by the token's id. */
  readonly remoteId: string
  readonly handle: string
  readonly derive: Derive
}

/** A use of a resource, as the provider reports it. */
export interface ProviderEvent {
  /** Names the use at this provider: a second report of it raises nothing. */
  readonly id: string
  readonly remoteId: string
  /** When it happened by the provider's clock, milliseconds. */
  readonly at: number
  /** An IP address; empty where none is known. */
  readonly srcHost: string
  readonly eventName: string
  /** Event keys of the kind's own. */
  readonly fields: EventFields
}

/** A request to the address of a provider's feed. */
export interface FeedRequest {
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** As sent, at most 1 MiB. */
  readonly body: Buffer
  readonly receivedAt: number
  /** The address that the request was sent to, as the provider was given it. */
  readonly feedUrl: string
}

export interface FeedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface FeedReport {
  readonly events: readonly ProviderEvent[]
  /** Sent after the commit; without it the answer is an empty JSON object. */
  readonly answer?: FeedAnswer
}

export interface WatchedResource {
  readonly tokenId: string
  readonly kind: string
  readonly remoteId: string
  /** When it was provisioned: earlier uses are none of an intruder's. */
  readonly createdAt: number
  /** When the last use that was reported happened, by the provider's clock; 0 for none. */
  readonly usedAt: number
  readonly derive: Derive
}

export interface PollRequest {
  /** What the last poll answered; empty for the first one. */
  readonly position: string
  readonly resources: readonly WatchedResource[]
}

export interface PollReport {
  readonly events: readonly ProviderEvent[]
  /** Where the next poll goes on: stored with the events, in one transaction. */
  readonly position: string
}

export interface ProviderClient {
  /**
   * Makes what the token plants. A `bad-input` names the parameter that the provider cannot use; any other failure is
   * cleaned up by `revoke`.
   */
  provision(request: ProvisionRequest): Promise<ProvisionedResource>
  /** Ends the resource; one that does not exist is no failure. Called again until it succeeds. */
  revoke(resource: RemoteResource): Promise<void>
  /** Reads a request to the feed; `unauthenticated` where secret or signature is wrong. */
  ingest?(request: FeedRequest): FeedReport | Promise<FeedReport>
  /** Asks for what happened since. */
  poll?(request: PollRequest): Promise<PollReport>
}

export interface ProviderDeps<D extends ProviderDescriptor = ProviderDescriptor> {
  readonly world: ProviderWorld
  /** Values of the provider's options, each with its default. */
  readonly options: Readonly<Record<keyof D['options'], string>>
}

/** What `provider.ts` exports by default. */
export type OpenProvider = (deps: ProviderDeps) => ProviderClient

/** Types the options by the descriptor. */
export const provider =
  <const D extends ProviderDescriptor>(
    _descriptor: D,
    open: (deps: ProviderDeps<D>) => ProviderClient,
  ): OpenProvider =>
  (deps) =>
    open(deps as ProviderDeps<D>)
