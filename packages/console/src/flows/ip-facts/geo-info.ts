// The event key `geo_info`: where an address is, and whose network it is in. Pure.
import type { Found, FoundMap, Wanted } from './mmdb/decode.ts'

/** Texts alone; what is not known is left out. */
export type GeoInfo = {
  /** ISO 3166-1, two letters. */
  readonly country?: string
  readonly country_name?: string
  readonly region?: string
  readonly city?: string
  /** Latitude and longitude in degrees: `52.5244,13.4105`. */
  readonly loc?: string
  /** A name of the IANA tz database. */
  readonly timezone?: string
  /** Number and name of the autonomous system: `AS64500 Example Net`. */
  readonly org?: string
}

const ENGLISH = { en: true } as const

/** What GeoLite2, GeoIP2 and DB-IP call it, and, where they have it in one value, others. */
export const GEO_WANTED = {
  country: { iso_code: true, names: ENGLISH },
  country_code: true,
  registered_country: { iso_code: true, names: ENGLISH },
  subdivisions: { 0: { names: ENGLISH } },
  region: true,
  city: { names: ENGLISH },
  location: { latitude: true, longitude: true, time_zone: true },
  timezone: true,
  autonomous_system_number: true,
  autonomous_system_organization: true,
  asn: true,
  as_name: true,
} as const satisfies Wanted

export function geoInfoOf(record: FoundMap): GeoInfo {
  const { country, registered_country: registered, region, city, location, timezone } = record
  const place = country ?? registered
  return known({
    country: text(at(place, 'iso_code')) ?? text(record['country_code']) ?? code(country),
    country_name: name(place),
    region: name(at(record['subdivisions'], '0')) ?? text(region),
    city: name(city) ?? text(city),
    loc: position(at(location, 'latitude'), at(location, 'longitude')),
    timezone: text(at(location, 'time_zone')) ?? text(timezone),
    org: network(record),
  })
}

const at = (found: Found | undefined, key: string): Found | undefined =>
  typeof found === 'object' ? found[key] : undefined

const name = (found: Found | undefined): string | undefined => text(at(at(found, 'names'), 'en'))

const code = (found: Found | undefined): string | undefined =>
  typeof found === 'string' && /^[A-Z]{2}$/.test(found) ? found : undefined

function network(record: FoundMap): string | undefined {
  const number = record['autonomous_system_number'] ?? record['asn']
  const digits = /^(?:AS)?(\d{1,10})$/.exec(String(number ?? ''))?.[1]
  const organisation = text(record['autonomous_system_organization']) ?? text(record['as_name'])
  return digits === undefined ? organisation : `AS${digits} ${organisation ?? ''}`.trim()
}

const MAX_CHARACTERS = 128

/** Without characters that act; undefined where nothing is left. */
function text(found: Found | undefined): string | undefined {
  if (typeof found !== 'string') return undefined
  const shown = found.replace(/\p{C}/gu, '').trim()
  return shown === '' ? undefined : [...shown].slice(0, MAX_CHARACTERS).join('')
}

function position(latitude: Found | undefined, longitude: Found | undefined): string | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  return [latitude, longitude].map((degrees) => String(Number(degrees.toFixed(4)))).join(',')
}

type Possible = { readonly [Key in keyof GeoInfo]: string | undefined }

const known = (possible: Possible): GeoInfo =>
  Object.fromEntries(Object.entries(possible).filter(([, value]) => value !== undefined))
