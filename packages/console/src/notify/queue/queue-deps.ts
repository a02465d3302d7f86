// What a delivery queue takes.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { AppContext } from '../../app-context.ts'
import type { Sender } from '../senders/sender.ts'

export interface QueueDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'config' | 'vault' | 'world' | 'log' | 'background'
> {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  /** Alerts a minute to one receiver before the rest becomes a digest. */
  readonly perMinute: number
  /** The reverse name of a source that was looked up of late, is being looked up, or may be looked up now; else undefined. */
  readonly nameOf: (address: string, options: { readonly mayAsk: boolean }) => Promise<string> | undefined
  /** What files say of a source, as event keys; undefined where there are none. */
  readonly factsOf: ((address: string) => Promise<EventFields>) | undefined
  /** Sends to a receiver of any kind. */
  readonly send: Sender
}
