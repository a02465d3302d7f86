// A token kind has three doors besides its descriptor: what is planted, what counts, what the intruder sees.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { TokenDescriptor } from './descriptor.ts'

/** Where a token can be met, and who it is. */
export interface Placement {
  readonly tokenId: string
  /** The whole decoy URL. */
  readonly url: string
  /** `<token id>.<zone>`. */
  readonly hostname: string
}

/** The kind's own settings by name, checked against the descriptor. */
export type TokenSettings = Readonly<Record<string, unknown>>

/** What is planted: texts to paste, by name, and perhaps a file. */
export interface Artefact {
  readonly renders: Readonly<Record<string, string>>
  readonly file?: { readonly filename: string; readonly contentType: string; readonly bytes: Uint8Array }
}

/** A request that names a token, as the HTTP channel saw it. */
export interface HttpVisit {
  readonly channel: 'http'
  readonly method: string
  /** Path with its query, as sent. */
  readonly path: string
  /** Header name, title-cased as browsers write it, to its value. */
  readonly headers: Readonly<Record<string, string>>
  readonly srcHost: string
  readonly dstPort: number
}

export type Visit = HttpVisit

/** `fire` raises an incident, `quiet` is recorded without one, `nothing` is not kept. */
export type Verdict = 'fire' | 'quiet' | 'nothing'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

export interface Doors {
  readonly forge: (placement: Placement, settings: TokenSettings) => Artefact
  /** Pure. A throw counts as `fire`: a bug must never swallow an alert. Without it every visit fires. */
  readonly judge?: (visit: Visit, settings: TokenSettings) => Verdict
  /** Event keys of the kind's own, lower-case, beside the ones that every token event has. */
  readonly describe?: (visit: Visit, settings: TokenSettings) => EventFields
  /** Runs after the touch is committed. */
  readonly answer: (visit: Visit, settings: TokenSettings) => HttpAnswer
}

export interface TokenKind extends Doors {
  readonly descriptor: TokenDescriptor
}

export const token = (descriptor: TokenDescriptor, doors: Doors): TokenKind => ({ descriptor, ...doors })
