// What the parts of a running Bird share.
import type { Body, CommandKind } from '@rookery/link/messages.ts'
import type { Remembered } from './memory.ts'
import type { Clocks } from './pump.ts'
import type { Keeper } from './settings/keeper.ts'
import type { Spool } from './spool/spool.ts'
import type { BirdClock } from './world.ts'

/**
 * `connecting`: no session yet since the start, or it was lost. `pending`: a person must commission it. `refused`: the console's key is not the pinned one.
 * `stopped`, `powered-off`, `decommissioned`, `revoked`: it has ended.
 */
export type Phase = 'connecting' | 'pending' | 'registered' | 'refused' | Ending
export type Ending = 'stopped' | 'powered-off' | 'decommissioned' | 'revoked'

export type Level = 'info' | 'warning' | 'error'

export interface Bird {
  readonly spool: Spool
  readonly keeper: Keeper
  readonly memory: Remembered
  readonly clock: BirdClock
  readonly clocks: () => Clocks
  /** Hex of the enrolment secret, as long as it may be of use. */
  readonly enrolSecret: () => string | undefined
  readonly dropEnrolment: () => void
  /** The settings' name for it. */
  readonly deviceName: () => unknown
  readonly pin: (consoleKey: Buffer) => void
  readonly entered: (phase: 'pending' | 'registered') => void
  readonly report: (level: Level, message: string) => void
  readonly carryOut: (command: Body<'CMD'>, answer: (result: Body<'CMD_RESULT'>) => void) => Promise<void>
  readonly end: (ending: Ending, reason: string) => void
}

/** What the console can make a Bird do. Answers what to say of it, and what to do once that is said. */
export type Commands = Readonly<
  Record<
    CommandKind,
    () => Promise<{ readonly detail: string; readonly ok: boolean; readonly afterwards?: () => void }>
  >
>
