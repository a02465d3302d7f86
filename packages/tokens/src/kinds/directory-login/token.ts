// Accounts of a directory that nobody uses. A domain controller, or the log shipper on it, reports their logons.
import { queryParameter } from '../../channels/http/request-fields.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { reportedText } from '../../reported.ts'
import { token, type ReportedVisit } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { logonsIn } from './feed.ts'
import { fluentBit, nxlog, sambaScript, winlogbeat } from './feeds.ts'
import { logonOf } from './look-up.ts'
import { reportScript } from './report-script.ts'
import { visitsOf } from './report.ts'
import { shipperAnswer } from './shipper-answer.ts'

export default token(descriptor, {
  renders: (address, { tokened_usernames: names }) => ({
    url: address.url,
    powershell: reportScript(address, names),
    winlogbeat: winlogbeat(address, names),
    nxlog: nxlog(address, names),
    fluent_bit: fluentBit(address, names),
    samba: sambaScript(address, names),
  }),
  on: {
    http: {
      reported(visit, { tokened_usernames }): readonly ReportedVisit[] | undefined {
        const logons = visit.body === undefined ? undefined : logonsIn(visit.body)
        const dc = reportedText(queryParameter(visit, 'dc'))
        return logons && visitsOf(logons, tokened_usernames, { reportedBy: visit.srcHost, dc })
      },
      // A report that was not read may be anything: it must not be missed.
      judge: (visit) => (hasBody(visit) ? 'fire' : 'quiet'),
      describe: (visit) => ({ reported_by: visit.srcHost, ...(hasBody(visit) && { body_unread: true }) }),
      answer: shipperAnswer,
    },
    dns: {
      reported({ labels, srcHost }, { tokened_usernames }): readonly ReportedVisit[] | undefined {
        const logon = logonOf(labels)
        return logon && visitsOf([logon], tokened_usernames, { reportedBy: srcHost, dc: '' })
      },
      judge: () => 'quiet',
    },
  },
})

const hasBody = ({ body, isBodyCut }: HttpVisit): boolean => isBodyCut === true || (body ?? '').trim() !== ''
