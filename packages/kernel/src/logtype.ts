// What an incident is about: a number on the wire, texts for people, a slug inside the incident's key.

/** How far an intruder went, the farthest first. `house`: the incident is about Rookery itself. */
export const LEVELS = ['used', 'tried', 'looked', 'house'] as const

/**
 * - `used`: something planted was used: a token, a shared file, a secret.
 * - `tried`: a login, command or write was tried.
 * - `looked`: a connection, a page or a scan.
 * - `house`: about Rookery itself: offline, roll-back, changed settings, tests.
 */
export type Level = (typeof LEVELS)[number]

export interface Logtype {
  /** The specification's number, as text. */
  readonly logtype: string
  /** One line for people, such as `SSH Login Attempt`. */
  readonly summary: string
  /** The second part of an incident's key: `incident:<slug>:…`. */
  readonly slug: string
}

/** What people need to know of an incident: alerts, the UI and the reference show it. */
export interface LogtypeFacts {
  readonly level: Level
  /** Keys of the event that say most about an intruder, best first. A view shows the first ones that an event has. */
  readonly evidence: readonly string[]
  /** What such an incident means: one sentence. */
  readonly meaning: string
  /** What to do next: at most three steps, each a sentence, the first one first. */
  readonly next: readonly string[]
}

export interface LogtypeDescriptor extends Logtype, LogtypeFacts {
  /** Keys of the event, besides its time; `evidence` names some of them. */
  readonly keys: readonly string[]
}
