// What a provider says of itself: pure data that also loads in a browser.

/** An option of the console that a provider takes. */
export interface ProviderOption {
  /** What it is for, in one line. */
  readonly title: string
  /** What a value must be, in words. */
  readonly wants: string
  readonly type: 'text' | 'url'
  /** What a text must match as a whole, as the source of a regular expression. */
  readonly pattern?: string
  readonly default?: string
  /** Its value is never shown, and its flag names a file. */
  readonly secret?: true
  /** The file of the secret may have several lines, as a PEM has. */
  readonly multiline?: true
  /** The provider is configured without it, too. */
  readonly optional?: true
}

export interface ProviderDescriptor {
  /** Its folder's name, which is a part of the address of its feed. */
  readonly provider: string
  /** The display name. */
  readonly name: string
  /** By environment name. */
  readonly options: Readonly<Record<`ROOKERY_${string}`, ProviderOption>>
  /** Takes requests at the address of its feed. */
  readonly takesFeed: boolean
  /** How often it is asked for events, milliseconds; absent where events come by its feed alone. */
  readonly pollMs?: number
  /** What proves within each day that events still come in: a request to its feed, or a poll that succeeded. */
  readonly heartbeat: 'feed' | 'poll'
}

/** Types a literal as a descriptor and keeps its exact shape. */
export const describeProvider = <const D extends ProviderDescriptor>(d: D): D => d
