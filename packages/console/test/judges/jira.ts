import {
  basicOf,
  bytesOf,
  isText,
  objectOf,
  type Fields,
  type Judge,
  type ServiceJudge,
  type Verdict,
} from './judge.ts'

const EMAIL = 'alerts@example.com'
const TOKEN = 'ATATT3xFfGF0VtqYcMzW5'
const SITE = 'https://example.atlassian.net'
const DESCRIPTION = 32_767

const answered = (status: number, body: object): Verdict => ({ status, body: JSON.stringify(body) })
const refused = (status: number, errors: Fields, ...errorMessages: string[]): Verdict =>
  answered(status, { errorMessages, errors })

const TO_DO = { name: 'To Do', statusCategory: { id: 2, key: 'new' } }
const DONE = { name: 'Done', statusCategory: { id: 3, key: 'done' } }

interface Issue {
  readonly key: string
  readonly labels: readonly string[]
  status: typeof TO_DO
}

/** developer.atlassian.com, Jira Cloud platform REST API v3: issue search, issues, issue comments; Atlassian document format. */
function openJira(): Judge {
  const issues: Issue[] = []
  return ({ method, url, body = '', headers }) => {
    const { origin, pathname, searchParams } = new URL(url)
    if (origin !== SITE) return answered(404, {})
    if (headers['authorization'] !== basicOf(EMAIL, TOKEN))
      return { status: 401, body: 'Client must be authenticated to access this resource.' }
    const given = body === '' ? {} : (JSON.parse(body) as Fields)
    if (method === 'GET' && pathname === '/rest/api/3/search/jql') {
      const jql = /^project = "([^"\\]+)" AND labels = "([^"\\\s]+)"$/.exec(searchParams.get('jql') ?? '')
      if (!jql) return refused(400, {}, 'Error in the JQL Query: unexpected text.')
      if (jql[1] !== 'SEC')
        return refused(400, {}, `The value '${jql[1] ?? ''}' does not exist for the field 'project'.`)
      const found = issues.filter(({ labels }) => labels.includes(jql[2] ?? ''))
      const asked = found.map(({ key, status }) => ({ id: '1', key, fields: { status } }))
      return answered(200, { issues: asked, isLast: true })
    }
    if (method === 'POST' && pathname === '/rest/api/3/issue') {
      const fields = objectOf(given['fields'])
      const wrong = wrongIn(fields)
      if (wrong) return refused(400, wrong)
      const key = `SEC-${issues.length + 1}`
      issues.push({ key, labels: fields['labels'] as string[], status: TO_DO })
      return answered(201, { id: '1', key, self: `${SITE}/rest/api/3/issue/1` })
    }
    const [, key, what] = /^\/rest\/api\/3\/issue\/([^/]+)\/(comment|transitions)$/.exec(pathname) ?? []
    const issue = issues.find((it) => it.key === key)
    if (!issue) return refused(404, {}, 'Issue does not exist or you do not have permission to see it.')
    if (what === 'comment')
      return isDocument(given['body'])
        ? answered(201, { id: '7' })
        : refused(400, { comment: 'Comment body is not valid!' })
    if (method === 'GET')
      return answered(200, {
        transitions: [TO_DO, DONE].map((to, index) => ({ id: String(11 + index), name: to.name, to })),
      })
    if (objectOf(given['transition'])['id'] !== '12')
      return refused(400, {}, 'Transition id is not valid for this issue.')
    issue.status = DONE
    return { status: 204, body: '' }
  }
}

function wrongIn({ project, issuetype, summary, labels, description, ...rest }: Fields): Fields | undefined {
  if (objectOf(project)['key'] !== 'SEC') return { project: 'valid project is required' }
  if (objectOf(issuetype)['name'] !== 'Task') return { issuetype: 'Specify a valid issue type' }
  if (!isText(summary, 100_000) || summary.trim() === '')
    return { summary: 'You must specify a summary of the issue.' }
  if (summary.length >= 255) return { summary: "Summary can't exceed 255 characters." }
  if (/[\n\r]/.test(summary))
    return { summary: 'The summary is invalid because it contains newline characters.' }
  if (!Array.isArray(labels) || labels.some((it) => !isText(it, 255) || /\s/.test(it)))
    return { labels: 'The label contains spaces which is invalid.' }
  if (!isDocument(description)) return { description: 'Operation value must be an Atlassian Document' }
  if (bytesOf(JSON.stringify(description)) > DESCRIPTION) return { description: 'CONTENT_LIMIT_EXCEEDED' }
  const [unknown] = Object.keys(rest)
  return unknown === undefined
    ? undefined
    : { [unknown]: 'Field cannot be set. It is not on the appropriate screen' }
}

/** Nodes that an alert may use: a text is text, and only a paragraph has links. */
function isDocument(value: unknown): boolean {
  const { type, version, content, ...rest } = objectOf(value)
  if (type !== 'doc' || version !== 1 || !Array.isArray(content) || Object.keys(rest).length > 0) return false
  return (content as Fields[]).every(
    (block) =>
      ['paragraph', 'codeBlock'].includes(String(block['type'])) &&
      Array.isArray(block['content']) &&
      (block['content'] as Fields[]).every((it) => isTextNode(it, block['type'] === 'paragraph')),
  )
}

function isTextNode({ type, text, marks = [], ...rest }: Fields, hasMarks: boolean): boolean {
  if (type !== 'text' || !isText(text, 1_000_000) || Object.keys(rest).length > 0) return false
  const all = marks as { type: string; attrs?: { href?: string } }[]
  return (
    (hasMarks || all.length === 0) &&
    all.every((it) => it.type === 'link' && URL.canParse(it.attrs?.href ?? ''))
  )
}

export const jiraJudge: ServiceJudge = {
  given: { url: `${SITE}/`, email: EMAIL, token: TOKEN, project: 'SEC' },
  open: openJira,
  refusal: refused(400, { issuetype: `${TOKEN}: Specify a valid issue type` }, 'no'),
  words: 'no; issuetype: …: Specify a valid issue type',
  hasDigest: true,
}
