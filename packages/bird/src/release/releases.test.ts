// The trial of a release: what makes it stay, what rolls it back, and what its job says.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manualClock } from '../../test/clocks.ts'
import { temporaryFolder } from '../../test/test-bird.ts'
import { readState, writeState, type ReleaseState } from '../launcher/state.ts'
import { releases, type Decoys } from './releases.ts'

const ID = 'ab12'
const PORTS = ['ftp tcp 21', 'redis tcp 6379']

/** A Bird that its launcher has just started: by default the release on trial, where the ports of before stand. */
function started(change: Partial<ReleaseState> = {}, running = ID) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, ID))
  const trial = { job: 'j', seq: 42, size: 9, ports: PORTS, settingsTag: 't', hadConsole: true }
  writeState(folder, { current: 'ff', next: ID, tries: 1, seq: 41, seenMs: 5, trial, ...change })
  const clock = manualClock()
  const settled: string[] = []
  const restarts: string[] = []
  const now: Decoys & { isRegistered: boolean } = {
    settingsTag: 't',
    ports: PORTS,
    notStanding: [],
    isRegistered: true,
  }
  const bird = releases({
    options: { folder, launcher: join(folder, 'launcher.mjs'), running: join(folder, running) },
    clock,
    log: () => undefined,
    decoys: () => now,
    isRegistered: () => now.isRegistered,
    files: () => ({
      hold: () => undefined,
      settle: (job, _size, reason) => settled.push(`${job}: ${reason || 'applied'}`),
    }),
    restart: (reason) => restarts.push(reason),
  })
  return { folder, clock, bird, settled, restarts, now, state: () => readState(folder) }
}

it('stays once the same ports stand and the console has answered, and not before', () => {
  const { bird, now, settled, restarts, clock, state } = started()
  Object.assign(now, { ports: ['ftp tcp 21'], isRegistered: false })
  bird.start()
  Object.assign(now, { ports: [...PORTS, 'ssh tcp 22'] })
  bird.check()
  expect(settled).toEqual([])
  Object.assign(now, { isRegistered: true })
  bird.check()
  expect(settled).toEqual(['j: applied'])
  expect(state()).toEqual({ current: ID, seq: 42, seenMs: 5 })
  clock.pass(600_000)
  expect(restarts).toEqual([])
})

it('is started again after 60 s without a port of before, and the launcher learns why', () => {
  const { bird, now, restarts, clock, state, settled } = started()
  Object.assign(now, { ports: ['ftp tcp 21'] })
  bird.start()
  clock.pass(59_999)
  expect(restarts).toEqual([])
  clock.pass(1)
  const problem = 'after 60 s these ports do not stand as before: redis tcp 6379'
  expect(restarts).toEqual([`its release is not healthy: ${problem}`])
  expect(state()).toMatchObject({ next: ID, tries: 1, problem })
  expect(settled).toEqual([])
})

it('is measured by other settings that came meanwhile', () => {
  const { bird, now, settled } = started()
  Object.assign(now, { settingsTag: 'other', ports: ['ssh tcp 22'], notStanding: ['ftp'] })
  bird.start()
  expect(settled).toEqual([])
  Object.assign(now, { notStanding: [] })
  bird.check()
  expect(settled).toEqual(['j: applied'])
})

it('is started again after ten minutes without the console, unless that was away before', () => {
  const { bird, now, restarts, clock } = started()
  Object.assign(now, { isRegistered: false })
  bird.start()
  clock.pass(599_999)
  expect(restarts).toEqual([])
  clock.pass(1)
  expect(restarts).toEqual(['its release is not healthy: the console did not answer within 10 minutes'])
  const trial = { job: 'j', seq: 42, size: 9, ports: PORTS, settingsTag: 't', hadConsole: false }
  const away = started({ trial })
  Object.assign(away.now, { isRegistered: false })
  away.bird.start()
  expect(away.settled).toEqual(['j: applied'])
})

it('that the launcher dropped is rolled back with its reason, once, and may be tried again', () => {
  const { bird, settled, state } = started(
    { next: undefined, dropped: { id: ID, reason: 'it was started 3 times and never worked' } } as never,
    'ff',
  )
  bird.start()
  expect(settled).toEqual(['j: rolled back: it was started 3 times and never worked'])
  expect(state()).toEqual({ current: 'ff', tries: 1, seq: 41, seenMs: 5 })
})

it('that was stopped by order has its try back', () => {
  const { bird, now, state } = started()
  Object.assign(now, { isRegistered: false })
  bird.start()
  bird.stoppedByOrder()
  expect(state()).toMatchObject({ next: ID, tries: 0 })
})
