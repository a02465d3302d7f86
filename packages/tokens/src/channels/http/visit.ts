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
  /** Its first 64 KiB, read as UTF-8; absent where the request has none, or where it was not kept. */
  readonly body?: string
  /** It came by HTTPS. */
  readonly isSecure?: true
  /** The JA4 fingerprint of the client's TLS; absent by HTTP, and where a proxy speaks in the client's place. */
  readonly ja4?: string
  /** The body went on, or was not kept. */
  readonly isBodyCut?: true
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A file that was uploaded for the token is sent as it is stored. */
  readonly body: Uint8Array | string | StoredFile
}
