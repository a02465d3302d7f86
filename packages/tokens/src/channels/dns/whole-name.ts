// Look-ups that say more than which token: they fire once their name is whole. A resolver with QNAME minimisation (RFC 9156)
// asks for the shorter names first.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { VisitDetail } from '../../channel.ts'
import type { Verdict } from '../../token.ts'
import { lookUpFields } from './look-up-fields.ts'
import type { DnsVisit } from './visit.ts'

/** Those next to the token's: `<last part of the user>.<computer>.<domain>.<marker>`. */
const MAX_DISTINCT_LABELS = 4

/** The handler of look-ups whose name `read` understands; it gives undefined for a part of a name. */
export const firedByWholeName = (read: (labels: readonly string[]) => EventFields | undefined) => ({
  judge: ({ labels }: DnsVisit): Verdict => (read(labels) === undefined ? 'quiet' : 'fire'),
  describe: (visit: DnsVisit): EventFields => ({ ...lookUpFields(visit), ...read(visit.labels) }),
  // A resolver is many visitors. Of a user's name that has dots, the part that every query has.
  visitorDetail: ({ labels }: DnsVisit): VisitDetail =>
    read(labels) ? [labels.slice(-MAX_DISTINCT_LABELS).join('.')] : [],
  // The name of a user that has dots grows with each query.
  amend({ qname, labels }: DnsVisit): EventFields | undefined {
    const found = read(labels)
    return found && { qname, ...found }
  },
})

/**
 * Reads `<user>.<computer>.<domain>.<marker>`, as Windows' environment fills it in. The name of a user may have dots, the
 * others have none.
 */
export const windowsUserBefore =
  (wanted: string) =>
  (labels: readonly string[]): EventFields | undefined => {
    const [marker, domain, computer, ...user] = labels.toReversed()
    if (marker !== wanted || domain === undefined || computer === undefined || user.length === 0)
      return undefined
    return { user: user.toReversed().join('.'), computer, domain }
  }
