// What the console's process and that of its local Bird say to each other, over the channel of `fork`.
import type { BirdState, EndPhase, Level } from '@rookery/bird/options.ts'

/** What the Bird is started with. The code travels here: arguments can be read by every user of the machine. */
export interface Start {
  readonly type: 'start'
  readonly consoleUrl: string
  readonly enrol: string | undefined
  readonly dataDir: string
  readonly bind: string
  readonly portOffset: number
  readonly setsIpStack: boolean
}

export type ToBird = Start | { readonly type: 'stop' }

export type FromBird =
  | { readonly type: 'log'; readonly level: Level; readonly message: string }
  | { readonly type: 'state'; readonly state: BirdState }
  /** It could not be started. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'ended'; readonly phase: EndPhase }
