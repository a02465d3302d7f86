// A real Bird with its real decoys, linked to a test's console.
import { expect, onTestFinished } from 'vitest'
import type { BirdState, RunningBird } from '@rookery/bird/options.ts'
import { startBird } from '@rookery/bird/start.ts'
import { ownFolder } from './own-folder.ts'

/** Starts a Bird on loopback, on free ports; it stops with the test. */
export async function realBird(
  consoleUrl: string | undefined,
  enrol?: string,
  dataDir = ownFolder(),
): Promise<RunningBird> {
  const bird = await startBird({
    consoleUrl: consoleUrl ?? '',
    dataDir,
    bind: '127.0.0.1',
    portOffset: 'any',
    log: () => undefined,
    maxBackoffMs: 300,
    ...(enrol !== undefined && { enrol }),
  })
  onTestFinished(() => bird.stop())
  return bird
}

export const when = (bird: RunningBird, claim: (state: BirdState) => boolean): Promise<void> =>
  expect.poll(() => claim(bird.state())).toBe(true)

/** Where a decoy of the Bird listens; 0 while it does not. */
export const portOf = (bird: RunningBird, decoy: string): number =>
  bird.state().listening.find(({ instance }) => instance === decoy)?.boundPort ?? 0
