// How a Bird is started, and what can be asked of it while it runs.
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import type { ListenFailure } from '@rookery/decoys/host/host.ts'
import type { SensorStatus } from '@rookery/decoys/session/sensor.ts'
import type { Service } from '@rookery/decoys/session/session.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { BirdClock } from './world.ts'

/**
 * `connecting`: there is no session, for the first time or again. `pending`: a person must commission the Bird.
 * `refused`: the console's key is not the pinned one. The others: the Bird has ended.
 */
export type Phase = 'connecting' | 'pending' | 'registered' | 'refused' | EndPhase
/** `updating`: it is to be replaced by its launcher. */
export type EndPhase = 'stopped' | 'updating' | 'powered-off' | 'decommissioned' | 'revoked'

export type Level = 'info' | 'warning' | 'error'

/** Set by a launcher (launcher/launcher.ts), for a Bird whose software can be updated. */
export interface ReleaseOptions {
  /** The folder of releases. */
  readonly folder: string
  readonly launcher: string
  /** The folder of the software that runs. */
  readonly running: string
}

export interface BirdOptions {
  /** Such as `https://console.example.org`. */
  readonly consoleUrl: string
  /** An enrolment code of that console. */
  readonly enrol?: string | undefined
  readonly dataDir: string
  /** The address on which the decoys listen. */
  readonly bind: string
  /** Added to every logical port; `any`: a free port of the system's choice (tests). */
  readonly portOffset: number | 'any'
  /** The network namespace is the Bird's own: its IP stack is set to what the decoys claim. */
  readonly setsIpStack?: boolean
  readonly services: Readonly<Record<string, Service>>
  /** The settings of these services are checked before they are applied. */
  readonly descriptors?: readonly Pick<ServiceDescriptor, 'settings'>[]
  /** Why the run before this one ended without a stop, as a clause: an event. */
  readonly unstopped?: string | undefined
  readonly log: (level: Level, message: string) => void
  readonly clock?: BirdClock
  readonly random?: Random
  /** Called after every change of phase, of the settings in force and of the open ports. */
  readonly onChange?: (state: BirdState) => void
  readonly releases?: ReleaseOptions | undefined
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
  /** Why there is no session, as a sentence; undefined while there is one. */
  readonly linkError: string | undefined
  readonly settingsTag: string
  /** Open decoy ports: the logical one, and the one that the system has bound. */
  readonly listening: readonly {
    instance: string
    transport: 'tcp' | 'udp'
    port: number
    boundPort: number
  }[]
  /** Decoys of the settings in force that do not listen, and why. */
  readonly notStanding: readonly ListenFailure[]
  /** What notices port scans, and what it does not see. */
  readonly sensors: readonly SensorStatus[]
  /** Events that the console has not committed yet. */
  readonly spooled: number
}

export interface RunningBird {
  state(): BirdState
  /** Closes the decoys, says goodbye, syncs the spool to disk. Resolves when all is closed, within 3 s. */
  stop(): Promise<void>
  /** Resolves when the Bird has ended, by `stop` or by its console. */
  readonly ended: Promise<EndPhase>
}
