// What one HTTP request for a token carries, and what its sender gets.
import type { VisitBase } from '../../channel.ts'
import type { StoredFile } from '../../settings.ts'

export interface HttpVisit extends VisitBase {
  readonly channel: 'http'
  readonly method: string
  /** Path with its query, as sent. */
  readonly path: string
  /** Header name, title-cased as browsers write it, to its value. */
  readonly headers: Readonly<Record<string, string>>
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A file that was uploaded for the token is sent as it is stored. */
  readonly body: Uint8Array | string | StoredFile
}
