// The console's side of one Bird's link: its states, what it reacts to, and what it wants done.
import type { Body, Frame } from '@rookery/link/messages.ts'
import type { BirdBatch } from '../../../flows/ingest/ingest-item.ts'
import type { CommandRow } from '../../../stores/birds/commands.store.ts'
import type { Heartbeat } from '../../../stores/birds/heartbeats.store.ts'
import type { BirdRow } from '../../../stores/birds/store.ts'
import type { OpenTransfer } from '../../../stores/transfers/store.ts'
import type { SettingsOffer } from './settings-offer.ts'

/** A Bird that has a row. */
interface Identified {
  readonly nodeId: string
  readonly hello: Body<'HELLO'>
  /** Whether its row is being read; `stale` when it changed meanwhile, so that another read follows. */
  readonly reading: 'no' | 'yes' | 'stale'
}

/** A file that a Bird was offered: that there is a job, its file, or that it is over. */
export interface OfferedFile {
  readonly transfer: OpenTransfer
  readonly offered: 'job' | 'file' | 'cancelled'
  /** Bytes that are recorded as fetched. */
  readonly copied: number
}

/** A Bird that was sent REGISTERED or COMMISSIONED. */
interface Registered extends Identified {
  /** The bundle that the Bird has, or reported that it cannot use. */
  readonly settledTag: string
  /** When a bundle that failed is offered again; undefined when none has failed. */
  readonly retryAt: number | undefined
  /** The bundle that it was offered and has not settled yet. */
  readonly offer: SettingsOffer | undefined
  /** Kinds of the commands that this session has sent, by their ids. */
  readonly sentCommands: ReadonlyMap<string, string>
  /** Files that it was offered, by their jobs. */
  readonly files: ReadonlyMap<string, OfferedFile>
}

export type AwaitingHello = { readonly name: 'awaiting-hello' }
/** Its row is being found or made. */
export type IdentifyingState = { readonly name: 'identifying'; readonly hello: Body<'HELLO'> }
/** Its row is being read for the first time. */
export type IdentifiedState = { readonly name: 'identified' } & Identified
export type PendingState = { readonly name: 'pending' } & Identified
export type RegisteredState = { readonly name: 'registered' } & Registered
/** It confirmed its decommission: what it still sends is served, and nothing more is asked of it. */
export type LeavingState = { readonly name: 'leaving' } & Registered
export type ClosedState = { readonly name: 'closed' }

export type SessionState =
  | AwaitingHello
  | IdentifyingState
  | IdentifiedState
  | PendingState
  | RegisteredState
  | LeavingState
  | ClosedState

export type Input =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly remoteKey: Buffer }
  // Results of effects
  | { readonly kind: 'identified'; readonly nodeId: string; readonly wasOffline: boolean }
  | { readonly kind: 'refused'; readonly refusal: Body<'REFUSED'> }
  | {
      readonly kind: 'read'
      readonly row: BirdRow | undefined
      /** How far its spool is stored. */
      readonly upto: number
      readonly commands: readonly CommandRow[]
      readonly transfers: readonly OpenTransfer[]
    }
  | { readonly kind: 'stored'; readonly spoolId: string; readonly upto: number }
  | { readonly kind: 'recorded' }
  | { readonly kind: 'failed'; readonly effect: Effect['kind']; readonly error: unknown }
  // Notices
  /** The Bird's row or its commands have changed. */
  | { readonly kind: 'changed' }
  /** Comes every 30 s; `heardAt` is when the last frame arrived. */
  | { readonly kind: 'tick'; readonly heardAt: number }
  /** The same Bird has opened a newer link. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'stopping' }
  /** The connection has ended. */
  | { readonly kind: 'closed' }

export type SettingsReport = Extract<Frame, { kind: `SETTINGS_${'APPLIED' | 'FAILED' | 'REVERTED'}` }>

export type Effect =
  | { readonly kind: 'send'; readonly frame: Frame }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close'; readonly why: string }
  /** Finds or makes the row → `identified` or `refused`. */
  | { readonly kind: 'identify'; readonly hello: Body<'HELLO'>; readonly publicKey: Buffer }
  /** Makes this the Bird's session; an older one is superseded. */
  | { readonly kind: 'register'; readonly nodeId: string }
  | { readonly kind: 'unregister'; readonly nodeId: string }
  /** Its source may hold a few links of pending Birds → `refused`, or nothing. */
  | { readonly kind: 'admit-pending' }
  | { readonly kind: 'check-liveness' }
  /** Reads row, open commands, open transfers and, where a spool is named, its position → `read`. */
  | { readonly kind: 'read'; readonly nodeId: string; readonly spoolId: string | undefined }
  /** → `stored`, after the commit. */
  | { readonly kind: 'store-events'; readonly batch: BirdBatch }
  | { readonly kind: 'store-heartbeat'; readonly heartbeat: Heartbeat }
  /** → `recorded` */
  | { readonly kind: 'record-settings'; readonly nodeId: string; readonly report: SettingsReport }
  /** The Bird has fetched that many bytes of the bundle. */
  | { readonly kind: 'record-copied'; readonly nodeId: string; readonly tag: string; readonly copied: number }
  /** Sends a piece → `recorded` when its file is gone. */
  | {
      readonly kind: 'serve-file'
      readonly transfer: OpenTransfer
      readonly offset: number
      readonly length: number
    }
  /** The Bird has so many bytes of a job's file. */
  | { readonly kind: 'record-file'; readonly nodeId: string; readonly job: string; readonly copied: number }
  /** → `recorded` */
  | { readonly kind: 'record-file-state'; readonly nodeId: string; readonly report: Body<'FILE_STATE'> }
  | { readonly kind: 'mark-sent'; readonly nodeId: string; readonly commandIds: readonly string[] }
  /** Stores a command's result; a decommissioned Bird is removed in the same transaction. */
  | { readonly kind: 'settle-command'; readonly nodeId: string; readonly result: Body<'CMD_RESULT'> }
  /** Removes the Bird if its decommission is still open. */
  | { readonly kind: 'remove-decommissioned'; readonly nodeId: string }
  | { readonly kind: 'log-bird'; readonly nodeId: string; readonly line: Body<'LOG'> }
  | {
      readonly kind: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Readonly<Record<string, unknown>>
    }

export interface Step<State extends SessionState = SessionState> {
  readonly state: State
  /** Run one after the other, each result first stepped through with its own effects. */
  readonly effects: readonly Effect[]
}

export const stay = <State extends SessionState>(state: State, ...effects: Effect[]): Step<State> => ({
  state,
  effects,
})

export const send = <K extends Frame['kind']>(kind: K, body: Body<K>): Effect => ({
  kind: 'send',
  frame: { kind, body } as Frame,
})

export const close = (state: SessionState, why: string): Step => stay(state, { kind: 'close', why })

/** Sends the reason, then closes. The state moves on when the connection has ended. */
export function refuse(
  state: SessionState,
  reason: Body<'REFUSED'>['reason'],
  message: string,
  retryAfterS?: number,
): Step {
  const refusal = {
    reason,
    message: message.slice(0, 500),
    ...(retryAfterS !== undefined && { retryAfterS }),
  }
  return stay(state, send('REFUSED', refusal), { kind: 'close', why: `refused (${reason}): ${message}` })
}
