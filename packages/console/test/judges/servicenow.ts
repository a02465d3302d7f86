import { basicOf, isText, type Fields, type Judge, type ServiceJudge, type Verdict } from './judge.ts'

const USER = 'rookery'
const PASSWORD = 'correct horse battery staple'
const INSTANCE = 'https://example.service-now.com'
const TABLE = '/api/now/table/incident'
/** Lengths of the columns; the platform would cut what is longer, and this judge refuses it. */
const COLUMNS: Readonly<Record<string, number>> = {
  short_description: 160,
  description: 4_000,
  impact: 40,
  urgency: 40,
  correlation_id: 100,
  correlation_display: 100,
  state: 40,
  close_code: 40,
  close_notes: 4_000,
  work_notes: 4_000,
}
const CODES = ['Solution provided', 'Workaround provided', 'No resolution provided', 'Resolved by caller']

const answered = (status: number, result: unknown): Verdict => ({ status, body: JSON.stringify({ result }) })
const refused = (status: number, message: string, detail: string): Verdict => ({
  status,
  body: JSON.stringify({ error: { message, detail }, status: 'failure' }),
})

/** ServiceNow's REST API reference, "Table API", with the dictionary and the data policy of the table incident. */
function openServicenow(): Judge {
  const rows: Record<string, string>[] = []
  return ({ method, url, body = '{}', headers }) => {
    const { origin, pathname, searchParams } = new URL(url)
    const [, id] = /^\/api\/now\/table\/incident(?:\/([0-9a-f]{32}))?$/.exec(pathname) ?? []
    if (origin !== INSTANCE || !pathname.startsWith(TABLE))
      return refused(400, 'Requested URI does not represent any resource', pathname)
    if (headers['authorization'] !== basicOf(USER, PASSWORD))
      return refused(401, 'User Not Authenticated', 'Required to provide Auth information')
    if (headers['accept'] !== 'application/json') return { status: 406, body: '' }
    if (method === 'GET') {
      const asked = /^correlation_id=([\w-]+)\^correlation_display=Rookery$/.exec(
        searchParams.get('sysparm_query') ?? '',
      )
      // A query that it cannot read is left out, and every record answers.
      return answered(200, asked ? rows.filter((it) => it['correlation_id'] === asked[1]) : rows)
    }
    const given = JSON.parse(body) as Fields
    const wrong = Object.entries(given).find(([name, value]) => !isText(value, COLUMNS[name] ?? 0))
    if (wrong) return refused(400, 'Exception while reading request', `column ${wrong[0]}`)
    if (/\[\/?code\]/i.test(body)) return refused(403, 'Operation Failed', 'HTML in a journal field')
    const record = given as Record<string, string>
    if (method === 'POST' && id === undefined) {
      if (/[\n\r]/.test(record['short_description'] ?? '\n'))
        return refused(403, 'Operation Failed', 'short_description')
      if (![record['impact'], record['urgency']].every((it) => /^[123]$/.test(it ?? '')))
        return refused(403, 'Operation Failed', 'no such choice')
      rows.push({ ...record, sys_id: String(rows.length).padStart(32, 'a'), state: '1' })
      return answered(201, { sys_id: rows.at(-1)?.['sys_id'] })
    }
    const row = rows.find((it) => it['sys_id'] === id)
    if (method !== 'PATCH' || !row)
      return refused(404, 'No Record found', 'Record doesn’t exist or ACL restricts the record retrieval')
    if (record['state'] === '6' && !(CODES.includes(record['close_code'] ?? '') && record['close_notes']))
      return refused(
        403,
        'Operation Failed',
        'Data Policy Exception: The following fields are mandatory: Resolution code, Resolution notes',
      )
    Object.assign(row, record)
    return answered(200, { sys_id: id })
  }
}

export const servicenowJudge: ServiceJudge = {
  given: { url: INSTANCE, user: USER, password: PASSWORD },
  open: openServicenow,
  refusal: refused(401, 'User Not Authenticated', `Not with ${PASSWORD}`),
  words: 'User Not Authenticated: Not with …; check user and password',
  hasDigest: true,
}
