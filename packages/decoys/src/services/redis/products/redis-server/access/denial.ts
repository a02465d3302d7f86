// Why a user may not run a command, and how ACL LOG keeps it.

export type DenialReason = 'command' | 'key' | 'channel' | 'auth'

export interface Denial {
  readonly reason: DenialReason
  /** The command, key or channel. */
  readonly object: string
}

export interface DenialEntry extends Denial {
  readonly count: number
  readonly context: string
  readonly username: string
  readonly at: number
  /** As CLIENT INFO shows the connection. */
  readonly client: string
}
