// A report of a scan as the event that leaves the Bird (behaviour of the API, section 7).
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Endpoint } from '../../host/host-touch.ts'
import type { SensorEvent } from '../../session/sensor.ts'
import type { HeaderFacts } from './codec.ts'
import type { ScanReport } from './scan-window.ts'

/** The headers of a packet, and the link-layer address that sent it; empty where the link has none. */
export type Headers = HeaderFacts & { readonly mac: string }

/** `headers` of the last packet of the scan; undefined where only connections are seen. */
export function scanEvent(
  { logtype, ports, sample: { src, dst } }: ScanReport<{ readonly src: Endpoint; readonly dst: Endpoint }>,
  headers: Headers | undefined,
): SensorEvent {
  const [only = -1] = ports
  return {
    logtype,
    fields: scanFields(ports, headers),
    src,
    dst: { host: dst.host, port: ports.length === 1 ? only : -1 },
  }
}

/** Keys and spellings are those of a firewall's log lines. */
function scanFields(ports: readonly number[], headers: Headers | undefined): EventFields {
  const tried = { ports: ports.join(), PROTO: 'TCP' }
  if (!headers) return tried
  const { id, length, mac, reserved, tos, ttl, urgent, window } = headers
  return {
    ...tried,
    ID: String(id),
    LEN: String(length),
    MAC: mac,
    // The three bits of precedence and the rest of the byte (RFC 791).
    PREC: byte(tos & 0xe0),
    RES: byte(reserved),
    TOS: byte(tos & 0x1e),
    TTL: String(ttl),
    URGP: String(urgent),
    WINDOW: String(window),
  }
}

const byte = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`
