// Who opened a document with macros, as its macro reports it.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { queryParameter } from '../../channels/http/request-fields.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { MACRO_MARKER } from './opening-macro.ts'

/** Those of `user`, `computer`, `domain` and `app` that the address has; undefined for none. */
export function openedBy(visit: HttpVisit): EventFields | undefined {
  const fields: Record<string, string> = {}
  for (const name of ['user', 'computer', 'domain', 'app']) {
    const value = queryParameter(visit, name)
    if (value !== undefined && value !== '') fields[name] = value
  }
  return Object.keys(fields).length > 0 ? fields : undefined
}

/** Once the name is whole; undefined for a part of it. The name of a user may have dots. */
export function openedByName({ labels }: DnsVisit): EventFields | undefined {
  const [marker, domain, computer, ...user] = labels.toReversed()
  if (marker !== MACRO_MARKER || domain === undefined || computer === undefined || user.length === 0)
    return undefined
  return { user: user.toReversed().join('.'), computer, domain }
}
