// The door of the package: a Bird with every decoy service there is.
import { services } from '@rookery/decoys/services.gen.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { runBird } from './agent.ts'
import type { BirdOptions, RunningBird } from './options.ts'

/** `runBird` (agent.ts) with the real services. */
export const startBird = (options: Omit<BirdOptions, 'services' | 'descriptors'>): Promise<RunningBird> =>
  runBird({ ...options, services, descriptors })
