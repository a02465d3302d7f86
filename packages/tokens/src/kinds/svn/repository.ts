// An empty repository, as a Subversion server of HTTP protocol version 2 shows it: the client notices nothing.
import { createHash } from 'node:crypto'
import { uuid } from '@rookery/kernel/ids.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { escapedMarkup } from '../../xml/escape.ts'

const REVISION = 1
/** Where the root of a revision lies, and where reports on it are asked for. */
const ROOT_STUB = '/!svn/rvr'
const ME = '/!svn/me'

const CAPABILITIES = [
  '1,2',
  'version-control,checkout,working-resource',
  'merge,baseline,activity,version-controlled-collection',
  'http://subversion.tigris.org/xmlns/dav/svn/depth',
  'http://subversion.tigris.org/xmlns/dav/svn/mergeinfo',
].join(', ')

/** Undefined for a request that Subversion does not make. */
export function repositoryAnswer({ method, path, headers }: HttpVisit): HttpAnswer | undefined {
  const repositoryId = uuidOf(headers['Host'] ?? '')
  switch (method) {
    case 'OPTIONS':
      return xml(200, options, {
        DAV: CAPABILITIES,
        'SVN-Youngest-Rev': String(REVISION),
        'SVN-Repository-UUID': repositoryId,
        'SVN-Repository-Root': '/',
        'SVN-Repository-MergeInfo': 'no',
        'SVN-Me-Resource': ME,
        'SVN-Rev-Root-Stub': ROOT_STUB,
        'SVN-Rev-Stub': '/!svn/rev',
        'SVN-Txn-Root-Stub': '/!svn/txr',
        'SVN-Txn-Stub': '/!svn/txn',
        'SVN-Allow-Bulk-Updates': 'On',
      })
    case 'PROPFIND':
      return xml(207, collection(path))
    case 'REPORT':
      return xml(200, path === ME ? update(repositoryId) : log)
    default:
      return undefined
  }
}

const xml = (
  status: number,
  content: string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  status,
  headers: { ...headers, 'Content-Type': 'text/xml; charset="utf-8"', 'Cache-Control': 'no-store' },
  body: `<?xml version="1.0" encoding="utf-8"?>\n${content}\n`,
})

const options =
  '<D:options-response xmlns:D="DAV:"><D:activity-collection-set><D:href>/!svn/act/</D:href></D:activity-collection-set></D:options-response>'

const log = '<S:log-report xmlns:S="svn:" xmlns:D="DAV:"></S:log-report>'

const collection = (path: string): string =>
  '<D:multistatus xmlns:D="DAV:"><D:response>' +
  `<D:href>${escapedMarkup(path.replace(/\/?$/, '/'))}</D:href>` +
  '<D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>' +
  '</D:response></D:multistatus>'

/** A client without these properties ends in a failed assertion. */
function update(repositoryId: string): string {
  const properties = {
    'committed-rev': String(REVISION),
    'committed-date': '2024-02-05T09:31:27.402913Z',
    'last-author': 'build',
    uuid: repositoryId,
  }
  const set = Object.entries(properties).map(
    ([name, value]) => `<S:set-prop name="svn:entry:${name}">${value}</S:set-prop>`,
  )
  return (
    '<S:update-report xmlns:S="svn:" xmlns:V="http://subversion.tigris.org/xmlns/dav/" xmlns:D="DAV:" send-all="true">' +
    `<S:target-revision rev="${REVISION}"/><S:open-directory rev="${REVISION}">${set.join('')}</S:open-directory>` +
    '</S:update-report>'
  )
}

/** The same for the same host, so that a working copy can be updated. */
const uuidOf = (host: string): string =>
  uuid(createHash('sha256').update(host.toLowerCase()).digest('hex'), '4', '8')
