// Who opens an Office file: programs of one opening ask under user agents of their own ("Microsoft Office Protocol
// Discovery", "… Existence Discovery", then that of the program), so the user agent tells no visitors apart.
import type { VisitDetail } from '../channel.ts'
import { isOffice, requestDetail } from '../channels/http/request-detail.ts'
import type { HttpVisit } from '../channels/http/visit.ts'

export const officeVisitor = ({ srcHost }: Pick<HttpVisit, 'srcHost'>): string => srcHost

/** Programs that open a file ask OPTIONS, HEAD and GET for its link. */
export const officeDetail = (visit: HttpVisit): VisitDetail =>
  requestDetail(visit.method === 'OPTIONS' && !isOffice(visit) ? { ...visit, method: 'GET' } : visit)
