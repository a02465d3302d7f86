import type { BirdSettings } from '../../../session/session.ts'

/** The further header fields of a web server: `http.headers`, or `https.headers`, while its switch is on. */
export function extraFields(settings: BirdSettings, service: 'http' | 'https'): Record<string, string> {
  const given = settings[`${service}.headers.enabled`] === true ? settings[`${service}.headers`] : undefined
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, value]) => [name, String(value)]))
}
