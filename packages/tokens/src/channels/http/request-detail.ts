// What a request does: another method, path, query or body is another visit.
import type { VisitDetail } from '../../channel.ts'
import { reportFields } from './scanner.ts'
import type { HttpVisit } from './visit.ts'

/** Programs that ask what a server can do, for the file or for its folder, before they ask for the file. */
const OFFICE = /libreoffice|microsoft office|ms-?office|microsoft-webdav|microsoft data access/i
const DISCOVERY = ['OPTIONS', 'PROPFIND']
/** What browsers ask of each host besides the page. */
const ICON = /\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png)$/

export const isOffice = ({ headers }: Pick<HttpVisit, 'headers'>): boolean =>
  OFFICE.test(headers['User-Agent'] ?? '')

/** A HEAD asks what its GET asks (RFC 9110, 9.3.2). The report of a page, and a browser's icon, are part of any visit. */
export function requestDetail(visit: HttpVisit): VisitDetail {
  const { method, path, body = '' } = visit
  if (ICON.test(path) || reportFields(visit) !== undefined) return []
  if (DISCOVERY.includes(method) && isOffice(visit)) return [undefined]
  return [`${method === 'HEAD' ? 'GET' : method} ${path}\n${body}`]
}
