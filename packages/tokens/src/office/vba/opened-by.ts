// Who opened a document with macros, as its macro reports it: by HTTP, or by a name that fires once it is whole.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { VisitDetail } from '../../channel.ts'
import { firedByWholeName, windowsUserBefore } from '../../channels/dns/whole-name.ts'
import { pixel } from '../../channels/http/blank.ts'
import { queryOf, requestFields } from '../../channels/http/request-fields.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { officeDetail, officeVisitor } from '../visitor.ts'
import { MACRO_MARKER } from './opening-macro.ts'

/** What kinds with a macro do with visits, by channel. */
export const onMacroReport = {
  http: {
    visitor: officeVisitor,
    // Behind one address, the same Office is many users.
    visitorDetail(visit: HttpVisit): VisitDetail {
      const user = Object.values(openedBy(visit)).join('|')
      return user === '' ? officeDetail(visit) : [user]
    },
    describe: (visit: HttpVisit): EventFields => ({ ...requestFields(visit), ...openedBy(visit) }),
    // Office may have asked for the folder first.
    amend(visit: HttpVisit): EventFields | undefined {
      const found = openedBy(visit)
      return Object.keys(found).length === 0 ? undefined : found
    },
    answer: () => pixel,
  },
  dns: firedByWholeName(windowsUserBefore(MACRO_MARKER)),
}

/** Those of `user`, `computer`, `domain` and `app` that the address has. */
function openedBy(visit: HttpVisit): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  const query = queryOf(visit)
  for (const name of ['user', 'computer', 'domain', 'app']) {
    const value = query.get(name) ?? ''
    if (value !== '') fields[name] = value
  }
  return fields
}
