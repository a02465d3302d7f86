// Locks of ranges, and who waits for them.
import { byWord } from '@rookery/kernel/by-word.ts'
import { LEVEL_II, open, close, read, lock, disconnect, leaves } from './scene-acts.ts'
import { F, ATTRIBUTES, READ_CONTROL, WAITING, AT_ONCE, UNLOCK, one, two, three } from './scene-beginnings.ts'
import type { Scene } from './scene.ts'

export const locks = byWord<Scene>({
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
})
