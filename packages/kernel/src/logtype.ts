// What an incident is about: a number on the wire, texts for people, a slug inside the incident's key.

/** How far an intruder went, the farthest first. `house`: the incident is about Rookery itself. */
export const LEVELS = ['used', 'tried', 'looked', 'house'] as const

/**
 * - `used`: something planted was used: a token, a shared file, a secret.
 * - `tried`: a login, command or write was tried.
 * - `looked`: a connection, a page or a scan.
 * - `house`: about Rookery itself: offline, rollback, changed settings, tests.
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

/** A logtype with what people need to know about its incidents: alerts, the UI and the reference show it. */
export interface LogtypeDescriptor extends Logtype {
  /** Keys of the event, besides its time. */
  readonly keys: readonly string[]
  readonly level: Level
  /** Those of `keys` that say most about an intruder, the best first. A view shows the first ones that an event has. */
  readonly evidence: readonly string[]
  /** What an incident of this logtype means: one sentence. */
  readonly meaning: string
  /** What to do next: one or two sentences. */
  readonly next: string
}
