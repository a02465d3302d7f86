// The scenes that are recorded: what breaks what, what waits for it, and what acknowledges it; and some that are drawn.
import { drawFrom } from '../../../../../../test/draw.ts'
import { drawScene } from './draw-scene.ts'
import {
  acknowledge,
  acknowledgeLease,
  BATCH,
  cancel,
  close,
  disconnect,
  enter,
  EXCLUSIVE,
  glance,
  lease,
  leaves,
  LEVEL_II,
  lock,
  logoff,
  open,
  R,
  read,
  RH,
  RW,
  RWH,
  waits,
  type Opening,
} from './scene-acts.ts'
import type { Scene, Turn } from './scene.ts'

const F = 'readme.txt'
const G = 'Sales\\Contacts.csv'
const ATTRIBUTES = 0x80
const READ_CONTROL = 0x20000
const [WAITING, AT_ONCE, UNLOCK] = [2, 0x12, 4]

let clients = 0
const guid = (): Buffer => Buffer.alloc(16, `scene ${(clients += 1)} `)
const one = (opening: Opening = {}): Turn[] => enter('a', { guid: guid(), ...opening })
const two = (opening: Opening = {}): Turn[] => [...one(opening), ...enter('b', { guid: guid(), ...opening })]
const three = (): Turn[] => [...two(), ...enter('c', { guid: guid() })]
/** Two connections of one client. */
const twins = (opening: Opening = {}): Turn[] => {
  const same = { guid: guid(), ...opening }
  return [...enter('a', same), ...enter('b', same)]
}

const oplocks: Readonly<Record<string, Scene>> = {
  'batch goes down to level II for another open, which waits': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    acknowledge('a', 1),
    close('a'),
    close('b'),
  ],
  'exclusive given up altogether': [
    ...two(),
    open('a', F, { oplock: EXCLUSIVE }),
    open('b', F, { oplock: BATCH }),
    acknowledge('a', 0),
    read('b'),
  ],
  'the holder closes instead': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    close('a'),
    read('b'),
  ],
  'the holder leaves': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    leaves('a'),
    read('b'),
  ],
  'the holder disconnects from the share': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    disconnect('a'),
  ],
  'the holder logs off': [...two(), open('a', F, { oplock: BATCH }), open('b', F), logoff('a')],
  'who waits leaves': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    leaves('b'),
    acknowledge('a', 1),
  ],
  'who waits disconnects from the share': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    disconnect('b'),
    acknowledge('a', 1),
  ],
  'who waits cancels': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    cancel('b'),
    acknowledge('a', 1),
    open('b', F),
  ],
  'batch and a sharing violation': [
    ...two(),
    open('a', F, { oplock: BATCH, share: 0 }),
    open('b', F, { oplock: BATCH }),
    acknowledge('a', 1),
  ],
  'batch and a sharing violation that ends': [
    ...two(),
    open('a', F, { oplock: BATCH, share: 0 }),
    open('b', F, { oplock: BATCH }),
    close('a'),
  ],
  'exclusive and a sharing violation': [
    ...two(),
    open('a', F, { oplock: EXCLUSIVE, share: 0 }),
    open('b', F, { oplock: BATCH }),
  ],
  'level II and a sharing violation': [...two(), open('a', F, { oplock: LEVEL_II, share: 0 }), open('b', F)],
  'opens for attributes break nothing': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { access: ATTRIBUTES, oplock: BATCH }),
    open('b', F, { access: READ_CONTROL }),
    open('b', F, { access: 0x100080 }),
  ],
  'one connection breaks its own oplock': [
    ...one(),
    open('a', F, { oplock: BATCH }),
    open('a', F, { oplock: BATCH }),
    acknowledge('a', 1),
  ],
  'one connection closes its own oplock': [
    ...one(),
    open('a', F, { oplock: BATCH }),
    open('a', F, { oplock: BATCH }),
    close('a'),
  ],
  'wrong acknowledgements': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    acknowledge('a', 1),
    open('b', F),
    ...[9, 8, 2, 1, 1].map((level) => acknowledge('a', level)),
  ],
  'acknowledgements of nothing': [
    ...two(),
    open('a', F),
    ...[1, 0, 8, 0xff].map((level) => acknowledge('a', level)),
    open('a', G, { oplock: BATCH }),
    acknowledge('a', 9),
  ],
  'two wait': [
    ...three(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    open('c', F, { oplock: BATCH }),
    acknowledge('a', 1),
  ],
  'two wait and the holder closes': [
    ...three(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    open('c', F, { oplock: BATCH }),
    close('a'),
    acknowledge('b', 1),
    acknowledge('c', 1),
  ],
  'three wait on one connection': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    ...[BATCH, EXCLUSIVE, LEVEL_II].map((oplock) => open('b', F, { oplock })),
    acknowledge('a', 1),
  ],
  'three on one connection log off': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    ...[BATCH, EXCLUSIVE].map((oplock) => open('b', F, { oplock })),
    glance('b', F),
    open('b', F),
    logoff('b'),
  ],
  'a compound waits': [...two(), open('a', F, { oplock: BATCH }), glance('b', F), acknowledge('a', 1)],
  'a compound fails late': [
    ...two(),
    open('a', F, { oplock: BATCH, share: 0 }),
    glance('b', F),
    acknowledge('a', 1),
  ],
  'a compound that waits is disconnected': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    glance('b', F),
    disconnect('b'),
  ],
  'denied opens break nothing': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { access: 0x120116 }),
    open('b', F, { access: 0x10000 }),
    ...[0, 2, 4, 5].map((disposition) => open('b', F, { disposition })),
  ],
  'a lock breaks level II, its own too': [
    ...two(),
    ...[1, 2].map(() => open('a', F, { oplock: LEVEL_II })),
    open('b', F, { oplock: LEVEL_II }),
    lock('b', AT_ONCE),
    read('a'),
    open('a', F, { oplock: BATCH }),
    acknowledge('a', 0),
  ],
  'a lock under an oplock of its own breaks nothing': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    lock('a', AT_ONCE),
    open('b', F),
    acknowledge('a', 1),
    lock('b', AT_ONCE),
    lock('b', WAITING),
    lock('a', UNLOCK),
  ],
  'grants next to an open without oplock': [
    ...two(),
    open('a', F),
    open('b', F, { oplock: BATCH }),
    open('b', F, lease(1, RWH)),
  ],
  'grants next to level II': [
    ...two(),
    open('a', F, { oplock: LEVEL_II }),
    open('b', F, lease(1, RWH, 0)),
    open('b', F, { oplock: BATCH }),
  ],
  'grants under locks': [
    ...two(),
    open('a', F),
    lock('a', 0x11),
    open('b', F, { oplock: BATCH }),
    open('b', F, { oplock: LEVEL_II }),
    open('b', F, lease(2, RWH, 9)),
    open('b', F, lease(3, RH)),
  ],
  'folders exclude each other without oplocks': [
    ...two(),
    open('a', 'Sales', { oplock: BATCH }),
    open('b', 'Sales', lease(1, RWH, 0)),
    open('b', 'Sales', { share: 0 }),
  ],
  'in 2.0.2': [
    ...two({ dialects: [0x0202] }),
    open('a', F, lease(1, RWH)),
    close('a'),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    acknowledgeLease('a', 1, RH),
    acknowledge('a', 0),
  ],
  'two connections of one client in 2.0.2': [
    ...twins({ dialects: [0x0202] }),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    leaves('a'),
  ],
  'two connections of one client': [
    ...twins(),
    open('b', F, { oplock: BATCH }),
    open('a', F, { oplock: BATCH }),
    acknowledge('b', 1),
  ],
}

const leases: Readonly<Record<string, Scene>> = {
  'RWH goes down to RH': [
    ...two(),
    open('a', F, lease(1, RWH)),
    open('b', F, lease(2, RWH)),
    acknowledgeLease('a', 1, RH),
    close('b'),
  ],
  'RWH of version 2 counts its epoch': [
    ...two(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('a', 1, RH),
    close('b'),
    open('a', F, lease(1, RWH, 4)),
  ],
  'RWH given up as far as R': [
    ...two(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('a', 1, R),
    open('a', F, lease(1, RWH, 4)),
  ],
  'RWH given up altogether': [
    ...two(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('a', 1, 0),
    open('a', F, lease(1, RWH, 4)),
  ],
  'RW goes down to R': [
    ...two(),
    open('a', F, lease(1, RW, 4)),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('a', 1, R),
  ],
  'RWH goes down to RW for a sharing violation': [
    ...two(),
    open('a', F, { ...lease(1, RWH, 4), share: 0 }),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('a', 1, RW),
  ],
  'RH goes down to R for a sharing violation': [
    ...two(),
    open('a', F, { ...lease(1, RH, 4), share: 0 }),
    open('b', F),
    acknowledgeLease('a', 1, R),
  ],
  'a sharing violation ends with the lease': [
    ...two(),
    open('a', F, { ...lease(1, RWH, 4), share: 0 }),
    open('b', F, lease(2, RWH, 9)),
    close('a'),
  ],
  'R and a sharing violation': [...two(), open('a', F, { ...lease(1, R, 4), share: 0 }), open('b', F)],
  'wrong acknowledgements of a lease': [
    ...two(),
    open('a', F, lease(1, RWH, 4)),
    acknowledgeLease('a', 1, RH),
    open('b', F, lease(2, RWH, 9)),
    ...[RWH, RW, 8].map((state) => acknowledgeLease('a', 1, state)),
    acknowledgeLease('a', 2, RH),
    acknowledge('a', 1),
    acknowledgeLease('b', 1, RH),
    acknowledgeLease('a', 1, RH),
    acknowledgeLease('a', 1, RH),
  ],
  'asked again to go down further': [
    ...three(),
    open('a', F, lease(1, RWH, 0)),
    open('b', F, lease(2, RWH, 0)),
    open('c', F, { share: 0 }),
    acknowledgeLease('a', 1, RH),
    acknowledgeLease('a', 1, R),
    acknowledgeLease('b', 2, R),
  ],
  'opened again while it breaks': [
    ...two(),
    open('a', F, lease(1, RWH, 0)),
    open('b', F),
    open('a', F, lease(1, RWH, 0)),
    open('a', F, lease(1, RH, 0)),
    acknowledgeLease('a', 1, RH),
  ],
  'a lease of two opens ends with the second': [
    ...two(),
    open('a', F, lease(1, RWH, 0)),
    open('a', F, lease(1, RWH, 0)),
    open('b', F),
    close('a'),
    close('a', 1),
  ],
  'raised step by step': [
    ...one(),
    ...[R, RH, RW, RWH, R, 0].map((state) => open('a', F, lease(1, state, 7))),
  ],
  'not raised while others read': [
    ...two(),
    open('a', F, lease(1, R, 6)),
    open('b', F),
    open('a', F, lease(1, RWH, 7)),
    open('a', F, lease(1, RH, 7)),
  ],
  'version 1 of a lease of version 2': [
    ...two(),
    open('a', F, lease(1, RH, 6)),
    open('a', F, lease(1, RWH)),
    open('b', F),
  ],
  'version 2 of a lease of version 1': [
    ...two(),
    open('a', F, lease(1, RH)),
    open('a', F, lease(1, RWH, 8)),
    open('b', F),
  ],
  'states that are none': [
    ...two(),
    ...[2, 4, 6, 8, 0xa, 0xb, 0xc, 0xe, 0xf]
      .map((state, i) => [open('a', F, lease(i + 1, state, 6)), close('a')])
      .flat(),
    open('a', F, lease(1, 0xffffffff, 0)),
    open('b', F),
  ],
  'a lease and a batch': [
    ...two(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, { oplock: BATCH }),
    acknowledgeLease('a', 1, RH),
  ],
  'a batch and a lease': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, lease(1, RWH, 4)),
    acknowledge('a', 1),
  ],
  'leases of opens for attributes': [
    ...two(),
    ...[1, 2, 3].map((key) => open('a', F, { ...lease(key, RWH, 0), access: ATTRIBUTES })),
    open('b', F, { access: READ_CONTROL }),
    open('b', F),
  ],
  'locks break leases, and not their own': [
    ...two(),
    open('a', F, lease(1, RH, 4)),
    open('b', F, lease(2, RH, 9)),
    lock('b', AT_ONCE),
    acknowledgeLease('a', 1, 0),
    open('a', F, lease(1, RH, 4)),
  ],
  'R goes to nothing unasked': [
    ...two(),
    open('a', F, lease(1, R, 4)),
    open('b', F),
    lock('b', AT_ONCE),
    acknowledgeLease('a', 1, 0),
    open('a', F, lease(1, RH, 4)),
  ],
  'an open waits for a lease that a lock breaks': [
    ...three(),
    open('a', F, lease(1, RH, 0)),
    open('b', F),
    lock('b', AT_ONCE),
    open('c', F, { access: READ_CONTROL }),
    open('c', F),
    acknowledgeLease('a', 1, R),
    acknowledgeLease('a', 1, 0),
  ],
  'leases are broken before oplocks, the newest first': [
    ...two(),
    open('a', F, { oplock: LEVEL_II }),
    open('a', F, lease(3, R, 0)),
    open('a', F, { oplock: LEVEL_II }),
    open('a', F, lease(4, R, 0)),
    open('b', F),
    lock('b', 0x11),
  ],
  'a lease is granted while another open waits, and broken at once': [
    ...two(),
    open('a', F, lease(1, RW)),
    open('a', F),
    open('b', F, { ...lease(3, RWH, 0), access: ATTRIBUTES }),
    logoff('a'),
  ],
  'one client, one lease': [
    ...twins(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, lease(1, RWH, 4)),
    open('b', F, lease(2, RWH, 9)),
    acknowledgeLease('b', 1, RH),
    open('b', G, lease(1, RH, 0)),
  ],
  'the older connection goes, the younger is asked': [
    ...twins(),
    open('a', F, lease(1, RWH, 4)),
    open('b', F, lease(1, RWH, 4)),
    leaves('a'),
    open('b', F, lease(2, RWH, 4)),
    acknowledgeLease('b', 1, RH),
  ],
  'the older connection is asked for the younger': [
    ...twins(),
    open('b', F, lease(1, RWH, 4)),
    open('a', F, lease(2, RWH, 4)),
    acknowledgeLease('b', 1, RH),
  ],
  'in 2.1': [
    ...two({ dialects: [0x0210] }),
    open('a', F, lease(1, RWH)),
    open('b', F, lease(1, RWH)),
    acknowledgeLease('a', 1, RH),
  ],
}

const locks: Readonly<Record<string, Scene>> = {
  'locks of all connections': [
    ...three(),
    open('a', F),
    open('b', F),
    open('c', F, { oplock: LEVEL_II }),
    lock('a', AT_ONCE),
    lock('b', 0x11),
    lock('b', 1),
    lock('c', 1),
    read('b'),
    lock('a', UNLOCK),
    lock('b', UNLOCK),
  ],
  'who holds a lock leaves': [
    ...two(),
    open('a', F),
    open('b', F),
    lock('a', AT_ONCE),
    lock('b', WAITING),
    leaves('a'),
  ],
  'who holds a lock closes': [
    ...two(),
    open('a', F),
    open('b', F),
    lock('a', AT_ONCE),
    lock('b', WAITING),
    close('a'),
  ],
  'who waits for a lock closes': [
    ...two(),
    open('a', F),
    open('b', F),
    lock('a', AT_ONCE),
    lock('b', WAITING),
    close('b'),
  ],
  'who waits for a lock disconnects': [
    ...two(),
    open('a', F),
    open('b', F),
    lock('a', AT_ONCE),
    lock('b', WAITING),
    disconnect('b'),
  ],
  'locks without a descriptor': [
    ...two(),
    open('a', F, { access: ATTRIBUTES }),
    open('b', F, { oplock: LEVEL_II }),
    lock('a', AT_ONCE, 0, 0, 0),
    lock('a', AT_ONCE),
    lock('b', AT_ONCE),
    lock('a', AT_ONCE),
    lock('a', WAITING),
  ],
  'a shared lock on top of an exclusive one': [
    ...one(),
    open('a', F),
    lock('a', AT_ONCE),
    lock('a', 0x11),
    lock('a', AT_ONCE),
  ],
  'opens of two connections exclude each other': [
    ...two(),
    open('a', F, { share: 0, access: ATTRIBUTES }),
    open('b', F, { share: 0 }),
    open('a', F),
    open('a', F, { share: 0, access: READ_CONTROL }),
  ],
}

/** Each takes half a minute: on files of their own they are recorded at the same time. */
export const slowScenes: Readonly<Record<string, Scene>> = {
  'nobody acknowledges a batch': [
    ...two(),
    open('a', F, { oplock: BATCH }),
    open('b', F, { oplock: BATCH }),
    waits('b'),
    acknowledge('a', 1),
    open('b', F, { oplock: BATCH }),
  ],
  'nobody acknowledges, and opens still exclude each other': [
    ...two(),
    open('a', G, { oplock: BATCH, share: 0 }),
    open('b', G, { oplock: BATCH }),
    waits('b'),
    acknowledge('a', 1),
  ],
  'nobody acknowledges a lease': ((name) => [
    ...two(),
    open('a', name, lease(1, RWH, 0)),
    open('b', name, lease(2, RWH, 0)),
    waits('b'),
    acknowledgeLease('a', 1, RH),
    open('a', name, lease(1, RWH, 0)),
    open('b', name, lease(3, RWH, 0)),
  ])('Sales\\Customers 2026.xlsx'),
}

const DRAWN = 60

function drawnScenes(): Record<string, Scene> {
  const draw = drawFrom('scenes of samba-4.17.12')
  return Object.fromEntries(
    Array.from({ length: DRAWN }, (_, i) => [`drawn ${i}`, drawScene(draw, Buffer.from(`drawn${i}`))]),
  )
}

export const scenes: Readonly<Record<string, Scene>> = { ...oplocks, ...leases, ...locks, ...drawnScenes() }

/** Scenes that ours answers otherwise, and why. */
export const otherwise: Readonly<Record<string, string>> = {
  'drawn 5': 'a third open is granted meanwhile, which puts the first of two that wait behind the second',
}