// The scenes that are recorded: what breaks what, what waits for it, and what acknowledges it; and some that are drawn.
import { byWord } from '@rookery/kernel/by-word.ts'
import { drawFrom } from '../../../test/draw.ts'
import { drawScene } from './draw-scene.ts'
import { oplocks } from './oplock-scenes.ts'
import { leases } from './lease-scenes.ts'
import { locks } from './lock-scenes.ts'
import { RH, RWH, BATCH, lease, open, acknowledge, acknowledgeLease, waits } from './scene-acts.ts'
import { F, G, two } from './scene-beginnings.ts'
import type { Scene } from './scene.ts'

/** Each takes half a minute: on files of their own they are recorded at the same time. */
export const slowScenes = byWord<Scene>({
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
})

const DRAWN = 60

function drawnScenes(): Record<string, Scene> {
  const draw = drawFrom('scenes of samba-4.17.12')
  return Object.fromEntries(
    Array.from({ length: DRAWN }, (_, i) => [`drawn ${i}`, drawScene(draw, Buffer.from(`drawn${i}`))]),
  )
}

export const scenes = byWord<Scene>({ ...oplocks, ...leases, ...locks, ...drawnScenes() })

/** Scenes that ours answers otherwise, and why. */
export const otherwise = byWord<string>({
  'drawn 5': 'a third open is granted meanwhile, which puts the first of two that wait behind the second',
})
