// A source as an indicator of STIX 2.1 (sections 3.2, 4.7 and 9).
import { isIPv6 } from 'node:net'
import type { Vault } from '../../secrets/vault.ts'
import type { SeenSource } from '../../stores/incidents/seen-sources.store.ts'

/** Times as ISO 8601. */
export interface Indicator {
  readonly type: 'indicator'
  readonly id: string
  readonly modified: string
  readonly spec_version: '2.1'
  readonly created: string
  readonly name: string
  readonly description: string
  readonly indicator_types: readonly string[]
  readonly pattern: string
  readonly pattern_type: 'stix'
  readonly pattern_version: '2.1'
  readonly valid_from: string
  readonly valid_until: string
  readonly object_marking_refs: readonly string[]
}

/** TLP:AMBER, which STIX 2.1 defines (section 7.2.1.4): for the organisation of who reads it, and those that it protects. */
const AMBER = 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'

const instant = (at: number): string => new Date(at).toISOString()

/** A touch of the source makes another version; without one it ends after so long. */
export function indicatorOf(
  vault: Pick<Vault, 'mac'>,
  { src_host, first_at, last_at, incidents }: SeenSource,
  lifetimeMs: number,
): Indicator {
  const family = isIPv6(src_host) ? 'ipv6-addr' : 'ipv4-addr'
  return {
    type: 'indicator',
    id: `indicator--${uuidOf(vault, `${src_host} ${first_at}`)}`,
    modified: instant(last_at),
    spec_version: '2.1',
    created: instant(Math.min(first_at, last_at)),
    name: `Source ${src_host}`,
    description: `Touched decoys or tokens: ${incidents} ${incidents === 1 ? 'incident' : 'incidents'}.`,
    indicator_types: ['malicious-activity'],
    pattern: `[${family}:value = '${src_host}']`,
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: instant(Math.min(first_at, last_at)),
    valid_until: instant(last_at + lifetimeMs),
    object_marking_refs: [AMBER],
  }
}

/** The same of the same text, on this console alone: a UUID of version 8 (RFC 9562, 5.8). */
function uuidOf(vault: Pick<Vault, 'mac'>, text: string): string {
  const bytes = vault.mac('stix', text).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
