// Who opened a document with macros, as its macro reports it: by HTTP, or by a name that fires once it is whole.
import type { EventFields } from '@rookery/kernel/touch.ts'
import { firedByWholeName, windowsUserBefore } from '../../channels/dns/whole-name.ts'
import { pixel } from '../../channels/http/blank.ts'
import { queryParameter, requestFields } from '../../channels/http/request-fields.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { officeVisitor } from '../visitor.ts'
import { MACRO_MARKER } from './opening-macro.ts'

/** What kinds with a macro do with visits, by channel. */
export const onMacroReport = {
  http: {
    // Who are several behind one address are so by what they report.
    visitor: (visit: HttpVisit): string =>
      [officeVisitor(visit), ...WHO.map((name) => queryParameter(visit, name) ?? '')].join('|'),
    describe: (visit: HttpVisit): EventFields => ({ ...requestFields(visit), ...openedBy(visit) }),
    answer: () => pixel,
  },
  dns: firedByWholeName(windowsUserBefore(MACRO_MARKER)),
}

const WHO = ['user', 'computer', 'domain'] as const

/** Those of `user`, `computer`, `domain` and `app` that the address has. */
function openedBy(visit: HttpVisit): EventFields {
  const fields: Record<string, string> = {}
  for (const name of [...WHO, 'app']) {
    const value = queryParameter(visit, name)
    if (value !== undefined && value !== '') fields[name] = value
  }
  return fields
}
