// An empty repository, as a Subversion server of HTTP protocol version 2 shows it: the client notices nothing.
import { createHash } from 'node:crypto'
import { uuid } from '@rookery/kernel/ids.ts'
import { openDraws } from '../../draws.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { SERVICE_USERS } from '../../pretexts/service-users.data.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { escapedMarkup } from '../../xml/escape.ts'

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
  const repository = repositoryOf(headers['Host'] ?? '')
  switch (method) {
    case 'OPTIONS':
      return xml(200, options, {
        DAV: CAPABILITIES,
        'SVN-Youngest-Rev': String(repository.revision),
        'SVN-Repository-UUID': repository.id,
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
      return xml(200, path === ME ? update(repository) : log)
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
function update({ id, revision, committedAt, author }: Repository): string {
  const properties = {
    'committed-rev': String(revision),
    'committed-date': committedAt,
    'last-author': author,
    uuid: id,
  }
  const set = Object.entries(properties).map(
    ([name, value]) => `<S:set-prop name="svn:entry:${name}">${value}</S:set-prop>`,
  )
  return (
    '<S:update-report xmlns:S="svn:" xmlns:V="http://subversion.tigris.org/xmlns/dav/" xmlns:D="DAV:" send-all="true">' +
    `<S:target-revision rev="${revision}"/><S:open-directory rev="${revision}">${set.join('')}</S:open-directory>` +
    '</S:update-report>'
  )
}

interface Repository {
  readonly id: string
  readonly revision: number
  readonly committedAt: string
  readonly author: string
}

/** The same for the same host, so that a working copy can be updated; another for another one. */
function repositoryOf(host: string): Repository {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  const draws = openDraws((label) => createHash('sha512').update(`${label} ${name}`).digest(), 'repository')
  const micros = draws.text('0123456789', 6)
  return {
    id: uuid(createHash('sha256').update(name).digest('hex'), '4', '8'),
    revision: draws.integer(2, 90),
    committedAt: pastMoment(draws).replace('Z', `.${micros}Z`),
    author: draws.pick(SERVICE_USERS),
  }
}
