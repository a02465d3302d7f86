// What the connections of a decoy share is bounded; what waits is reported once; and time ends what nobody acknowledges.
import { expect, test } from 'vitest'
import { replayScene } from '../../../../../../lab/smb/samba/replay-scene.ts'
import {
  acknowledge,
  BATCH,
  cancel,
  enter,
  leaves,
  open,
  waits,
} from '../../../../../../lab/smb/samba/scene-acts.ts'
import type { Turn } from '../../../../../../lab/smb/samba/scene.ts'

const F = 'readme.txt'
const SHARED_OPENS = 1_024
const OPENS_OF_ONE = 64
const WAITING = 64

const players = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}`)
const known = (turn: Turn): Turn => ({ ...turn, isKnown: true })
const statuses = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim().split(' ').slice(0, 3).join(' '))

test('beyond the opens that are shared, a file opens without an oplock and without waiting for one', () => {
  const crowd = players(SHARED_OPENS / OPENS_OF_ONE)
  const opens = crowd.flatMap((who) => Array.from({ length: OPENS_OF_ONE }, () => known(open(who, F))))
  const { text, locking, leave } = replayScene([
    ...[...crowd, 'x', 'y'].flatMap((who) => enter(who)),
    ...opens,
    open('x', 'Sales\\Contacts.csv', { oplock: BATCH }),
    open('y', 'Sales\\Contacts.csv', { oplock: BATCH }),
  ])
  expect(statuses(text)).toEqual(['x create 0', 'y create 0'])
  expect(text.match(/create 0 .* (590000)/g)).toHaveLength(2)
  expect(locking.opens).toBe(SHARED_OPENS)
  leave()
  expect([locking.opens, locking.files.size]).toEqual([0, 0])
})

test('so many requests wait for files, and no more: the next is refused at once', () => {
  const crowd = players(WAITING)
  const { text, locking, leave } = replayScene([
    ...['a', ...crowd, 'z'].flatMap((who) => enter(who)),
    known(open('a', F, { oplock: BATCH })),
    ...crowd.map((who) => known(open(who, F))),
    open('z', F),
    leaves('p0'),
    open('z', F),
  ])
  expect(statuses(text).filter((line) => line.startsWith('z'))).toEqual(['z create c000009a', 'z create 103'])
  expect(locking.waiting).toBe(WAITING)
  leave()
  expect(locking.waiting).toBe(0)
})

test('who cancels waits no longer', () => {
  const { locking } = replayScene([
    ...enter('a'),
    ...enter('b'),
    open('a', F, { oplock: BATCH }),
    open('b', F),
    cancel('b'),
  ])
  expect(locking.waiting).toBe(0)
})

test('an open that waits is reported when it is asked for, and once', () => {
  const opened = (turns: readonly Turn[]): number =>
    replayScene([
      ...enter('a'),
      ...enter('b'),
      open('a', F, { oplock: BATCH }),
      open('b', F),
      ...turns,
    ]).events.filter(({ logtype, fields }) => logtype === '5000' && fields['AUDITACTION'] === 'open').length
  expect(opened([])).toBe(2)
  expect(opened([acknowledge('a', 1)])).toBe(2)
  expect(opened([waits('b')])).toBe(2)
})
