// What a Bird is started with, and what can be asked of it while it runs.
import type { ServiceDescriptor } from '@rookery/decoys/descriptor.ts'
import type { Service } from '@rookery/decoys/session.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { Ending, Level, Phase } from './bird.ts'
import type { BirdClock } from './world.ts'

export interface BirdOptions {
  /** Such as `https://console.example.org`. */
  readonly consoleUrl: string
  /** An enrolment code of that console. */
  readonly enrol?: string | undefined
  readonly dataDir: string
  /** The address on which the decoys listen. */
  readonly bind: string
  /** Added to every logical port; `any` = whatever is free (tests). */
  readonly portOffset: number | 'any'
  readonly services: Readonly<Record<string, Service>>
  /** What their settings must look like. */
  readonly descriptors?: readonly Pick<ServiceDescriptor, 'settings'>[]
  readonly log: (level: Level, message: string) => void
  readonly clock?: BirdClock
  readonly random?: Random
  /** Called after every change of phase. */
  readonly onChange?: (state: BirdState) => void
  readonly maxBackoffMs?: number
  readonly trialMs?: number
}

export interface BirdState {
  readonly phase: Phase
  readonly nodeId: string | undefined
  /** `device_id_hash`. */
  readonly deviceIdHash: string
  /** The six words to compare, while it is pending. */
  readonly pairingPhrase: string | undefined
  /** Why there is no session, in words. */
  readonly trouble: string | undefined
  readonly settingsTag: string
  /** Open decoy ports: logical and real. */
  readonly listening: readonly {
    instance: string
    transport: 'tcp' | 'udp'
    port: number
    boundPort: number
  }[]
  /** Events that the console has not committed yet. */
  readonly spooled: number
}

export interface RunningBird {
  state(): BirdState
  /** Closes the decoys, says goodbye, makes the spool durable. Resolves when all is closed, within 3 s. */
  stop(): Promise<void>
  /** Resolves when the Bird has ended, by `stop` or by its console. */
  readonly ended: Promise<Ending>
}
