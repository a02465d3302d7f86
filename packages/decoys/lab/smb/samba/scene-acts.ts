// What the players of a scene do: they open files with oplocks and leases, acknowledge breaks, lock, cancel, and leave.
import { join, u16, u32, u64, zeros } from '../../../src/windows/fields.ts'
import {
  ALL,
  breakBody,
  closeBody,
  createBody,
  emptyBody,
  lockBody,
  readBody,
  type Wishes,
} from './bodies.ts'
import {
  act,
  connectTo,
  create,
  fileOf,
  framed,
  GUEST,
  login,
  message,
  negotiate,
  type Act,
} from './client.ts'
import { compound } from './frame-acts.ts'
import type { Turn, Who } from './scene.ts'

export interface Entry {
  readonly dialects?: readonly number[]
  /** Clients of one machine have the same. */
  readonly guid?: Buffer
}

/** A guest connects to the share. */
export const enter = (who: Who, { dialects = ALL, guid = Buffer.alloc(16, who) }: Entry = {}): Turn[] =>
  [negotiate({ dialects, guid }), ...login(GUEST), connectTo('Documents')].map((does) => ({
    who,
    does,
    isKnown: true,
  }))

/** Level of an open that asks for a lease. */
const LEASE = 0xff
/** States of a lease. */
export const R = 1
export const RH = 3
export const RW = 5
export const RWH = 7
export const BATCH = 9
export const EXCLUSIVE = 8
export const LEVEL_II = 1

/** The request for a lease; `epoch` makes it one of version 2. */
export const lease = (key: number, state: number, epoch?: number): Wishes => ({
  oplock: LEASE,
  contexts: [
    [
      'RqLs',
      join(
        Buffer.alloc(16, key),
        u32(state),
        zeros(12),
        ...(epoch === undefined ? [] : [zeros(16), u16(epoch), u16(0)]),
      ),
    ],
  ],
})

const shown = (wishes: Wishes): string =>
  JSON.stringify({
    ...wishes,
    contexts: wishes.contexts?.map(([label, content]) => label + content.toString('hex')),
  })

export const open = (who: Who, name: string, wishes: Wishes = {}): Turn => ({
  who,
  does: { ...create(name, wishes), name: `open ${name} ${shown(wishes)}` },
})

const turn = (who: Who, does: Act): Turn => ({ who, does })

/** `back`: of the last file, or of one before it. */
export const acknowledge = (who: Who, level: number, back = 0): Turn =>
  turn(
    who,
    act(`acknowledge ${level} of ${back}`, 18, (client) => breakBody(fileOf(client, back), level)),
  )
export const acknowledgeLease = (who: Who, key: number, state: number): Turn =>
  turn(
    who,
    act(`acknowledge lease ${key} ${state}`, 18, () =>
      join(u16(36), u16(0), u32(0), Buffer.alloc(16, key), u32(state), u64(0)),
    ),
  )
export const close = (who: Who, back = 0): Turn =>
  turn(
    who,
    act(`close ${back}`, 6, (client) => closeBody(fileOf(client, back))),
  )
export const read = (who: Who, back = 0): Turn =>
  turn(
    who,
    act(`read of ${back}`, 8, (client) => readBody(fileOf(client, back), 0, 4)),
  )
export const lock = (who: Who, flags: number, back = 0, offset = 0, length = 10): Turn =>
  turn(
    who,
    act(`lock ${flags.toString(16)} ${offset} ${length} of ${back}`, 10, (client) =>
      lockBody(fileOf(client, back), [{ offset, length, flags }]),
    ),
  )
/** Of the last request but `back`, by its message id. */
export const cancel = (who: Who, back = 0): Turn =>
  turn(who, {
    name: `cancel ${back}`,
    answers: 0,
    send: (client) =>
      framed(message(client, 12, emptyBody(), { messageId: client.messageId - 1n - BigInt(back) })),
  })
export const disconnect = (who: Who): Turn => turn(who, act('disconnect', 4, emptyBody))
export const logoff = (who: Who): Turn => turn(who, act('logoff', 2, emptyBody))

const SAME = Buffer.alloc(16, 0xff)
/** Opened, read and closed in one frame. */
export const glance = (who: Who, name: string, wishes: Wishes = {}): Turn =>
  turn(
    who,
    compound(
      [
        [`create ${name} ${shown(wishes)}`, 5, () => createBody(name, wishes)],
        ['read', 8, () => readBody(SAME, 0, 4)],
        ['close', 6, () => closeBody(SAME)],
      ],
      [0, 4, 4],
    ),
  )
export const leaves = (who: Who): Turn => ({ who, does: 'leaves' })
export const waits = (who: Who): Turn => ({ who, does: 'waits' })
