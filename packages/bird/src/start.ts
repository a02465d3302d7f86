// A Bird with every decoy service there is: what `rookery up` and `rookery bird` start.
import { services } from '@rookery/decoys/services.gen.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { selfTest } from './release/self-test.ts'
import { runBird } from './run-bird.ts'
import type { BirdOptions, RunningBird } from './options.ts'

/** `runBird` (run-bird.ts) with the real services. */
export const startBird = (options: Omit<BirdOptions, 'services' | 'descriptors'>): Promise<RunningBird> =>
  runBird({ ...options, services, descriptors })

/** Rejects when a decoy does not open. */
export const testBird = (): Promise<void> => selfTest(services, descriptors)
