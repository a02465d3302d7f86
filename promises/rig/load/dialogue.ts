// A load of a line protocol as its users see it: jobs in, figures out.
import { LOAD_CORE } from '../cores.ts'
import { openJobs, type Jobs } from './jobs.ts'
import type { Load } from './load.ts'

/** The answer is whole after so many line ends, or with a text. */
export type Turn =
  | { readonly send: string; readonly lines: number }
  | { readonly send: string; readonly awaits: string }

export interface Dialogue {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** Lines of the greeting. */
  readonly greeting: number
  /** Asked again and again; each round counts as so many hits. */
  readonly turns: readonly Turn[]
  readonly hits: number
  /** Rounds on one connection; then another is opened. */
  readonly rounds: number
  readonly ms: number
}

/** Runs in a process of its own, on the core of the load. */
export const openDialogues = (): Jobs<Dialogue, Load> => openJobs('dialogue.child.ts', LOAD_CORE)
