// Probes of a text protocol: what is sent to the real server and to ours, and how the answers are kept.
import { readFileSync } from 'node:fs'

export interface Probe {
  readonly name: string
  /** Sent one after another, as separate segments; latin1, one character a byte. */
  readonly send: readonly string[]
}

/** What a server sent back (latin1), and whether it closed the connection by itself. */
export interface Answer {
  readonly text: string
  readonly closed: boolean
}

/** The recorded answers of the real server, by the probe's name. */
export const readAnswers = (folder: URL): Record<string, Answer> =>
  JSON.parse(readFileSync(new URL('answers.json', folder), 'utf8')) as Record<string, Answer>
