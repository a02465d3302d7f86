// `state.json` in the folder of releases: which release runs, and which one is on trial. Launcher and Bird read and write it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@rookery/spool/durable-files.ts'

/** The program of a release. */
export const ENTRY = 'rookery-bird.mjs'
/** Starts of a release that never became healthy, until it is dropped. */
export const TRIES = 3
const FILE = 'state.json'

export interface ReleaseState {
  /** The release that is healthy; none: the software of the package. */
  readonly current?: string
  /** The release on trial. */
  readonly next?: string
  readonly tries?: number
  /** Why its last try failed, as a clause. */
  readonly problem?: string
  /** What it is measured by. */
  readonly trial?: {
    readonly job: string
    /** Its number, which is accepted once it is healthy: one that was rolled back may be tried again. */
    readonly seq: number
    /** Of its archive. */
    readonly size: number
    /** Ports that stood before, as `<instance> <transport> <logical port>`. */
    readonly ports: readonly string[]
    /** The settings that were in force then. */
    readonly settingsTag: string
    /** The console was there before. */
    readonly hadConsole: boolean
  }
  /** The release on trial was dropped: what its job is yet to say. */
  readonly dropped?: { readonly id: string; readonly reason: string }
  /** The highest `seq` of a release that was healthy. */
  readonly seq?: number
  /** The newest time that was ever seen. */
  readonly seenMs?: number
}

/** A file that is damaged counts as none: what the package brought starts. */
export function readState(folder: string): ReleaseState {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
    return typeof value === 'object' && value !== null && isSane(value) ? value : {}
  } catch {
    return {}
  }
}

export const writeState = (folder: string, state: ReleaseState): void =>
  replaceFile(join(folder, FILE), JSON.stringify(state))

/** A release is a folder here, and no path that leaves it. */
const isSane = ({ current = '0', next = '0' }: ReleaseState): boolean =>
  [current, next].every((id) => typeof id === 'string' && /^[0-9a-f]+$/.test(id))
