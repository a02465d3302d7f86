// What one WireGuard initiation for a token carries. Nobody gets an answer.
import type { VisitBase } from '../../channel.ts'

export interface WireguardVisit extends VisitBase {
  readonly channel: 'wireguard'
  /** Base64, as configurations have it. */
  readonly clientPublicKey: string
  /** The number that the client chose for its session. */
  readonly sessionIndex: number
  /** By the clock of the client, in milliseconds. */
  readonly sentAt: number
  /** Base64; new with each initiation, so that one that is sent again is known. */
  readonly ephemeralKey: string
}
