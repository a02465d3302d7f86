import { ApiError } from '@rookery/sdk/api-error.ts'
import { readCsv } from '@rookery/kernel/csv/read.ts'
import { describe, expect, it } from 'vitest'
import { addPerson, ANN, openAs, signIn } from '../../../test/person.ts'
import { ADMIN, engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

interface Created {
  readonly row: string
  readonly decoytoken: string
  readonly kind: string
  readonly memo: string
  readonly flock_id: string
  readonly url: string
  readonly hostname: string
}

/** The rows of the answer by their columns. */
function rowsOf(csv: string): Created[] {
  const [header, ...records] = [...readCsv(csv)]
  return records.map(
    ({ cells }) =>
      Object.fromEntries((header?.cells ?? []).map((name, at) => [name, cells[at]])) as unknown as Created,
  )
}

async function createMany({ api }: TestConsole, csv: string, params = {}): Promise<Created[]> {
  const { file } = await api.tokens.createMany({ csv, ...params })
  return rowsOf(new TextDecoder().decode(file?.bytes))
}

async function refusalOf(rookery: TestConsole, csv: string, params = {}): Promise<ApiError> {
  const refused: unknown = await rookery.api.tokens
    .createMany({ csv, ...params })
    .catch((error: unknown) => error)
  if (refused instanceof ApiError) return refused
  throw new Error('the console took the CSV')
}

const count = async ({ api }: TestConsole): Promise<number> =>
  (await api.tokens.search({ limit: 1 })).total_results

describe.each(engines)('tokens from a CSV (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('are created of one batch at a time: another is refused until it is done, and loses nothing', async () => {
    const csvOf = (name: string): string =>
      ['kind,memo', ...Array.from({ length: 500 }, (_, n) => `http,${name} ${n}`)].join('\n')
    const results = await Promise.allSettled(
      ['Wiki', 'Share'].map((name) => createMany(rookery, csvOf(name))),
    )
    const refused = results.findIndex(({ status }) => status === 'rejected')
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(results[refused]).toMatchObject({
      reason: { status: 429, message: expect.stringContaining('another batch') as string },
    })
    expect(await count(rookery)).toBe(500)
    await createMany(rookery, csvOf(refused === 0 ? 'Wiki' : 'Share'))
    expect(await count(rookery)).toBe(1_000)
  })

  it('are created with what their rows say, and answered in that order', async () => {
    const { flock_id } = await rookery.api.flocks.create({ name: 'Branch' })
    const csv = [
      'memo,kind,flock_id,browser_redirect_url,custom_domain',
      '"Wiki, finance",http,,,',
      `Bookmark,fast-redirect,${flock_id ?? ''},https://intranet.example.com/,files.example.org`,
      'Wiki,http,,,',
      'Wiki,http,,,',
    ].join('\r\n')
    const created = await createMany(rookery, csv)
    expect(created.map(({ row, memo, kind }) => [row, memo, kind])).toEqual([
      ['1', 'Wiki, finance', 'http'],
      ['2', 'Bookmark', 'fast-redirect'],
      ['3', 'Wiki', 'http'],
      ['4', 'Wiki', 'http'],
    ])
    expect(new Set(created.map(({ decoytoken }) => decoytoken)).size).toBe(4)
    expect(created[1]?.hostname).toBe(`${created[1]?.decoytoken}.files.example.org`)
    for (const { decoytoken, url, hostname, memo } of created) {
      const { token } = await rookery.api.tokens.fetch({ decoytoken })
      expect(token).toMatchObject({ url, hostname, memo })
    }
    const trail = await rookery.api.auditTrail.fetch({ action_type: 'tokens.create_many' })
    expect(trail.audit_trail).toHaveLength(4)
    expect(trail.audit_trail.map(({ message }) => message).join()).not.toContain('intranet')
  })

  it('are judged before any is created: each mistake is named by line, column, value and what is right', async () => {
    const csv = [
      'kind,memo,browser_redirect_url,flock_id,custom_domain',
      'http,Good,,,',
      'htp,Wiki,,,',
      'http,,,,',
      'fast-redirect,Wiki,ftp://x,,',
      'http,Wiki,https://example.com/,,',
      'http,Wiki,,flock:none,',
      'http,Wiki,,,not a domain',
      'web-image,Wiki,,,',
      'http,Wiki',
    ].join('\n')
    const { status, message, details } = await refusalOf(rookery, csv)
    expect([status, message]).toEqual([400, 'The CSV has 8 mistakes, so no token was created.'])
    expect(details).toEqual({
      'line 3, column kind': expect.stringMatching(/^must be one of http.*|, not "htp"$/) as string,
      'line 4, column memo': 'must not be empty',
      'line 5, column browser_redirect_url': expect.stringMatching(
        /^must be an absolute http.*not "ftp:/,
      ) as string,
      'line 6, column browser_redirect_url':
        'must be empty: the kind http does not take it, not "https://example.com/"',
      'line 7, column flock_id': 'Flock does not exist., not "flock:none"',
      'line 8, column custom_domain': expect.stringMatching(/^must be a domain name/) as string,
      'line 9, column kind': expect.stringMatching(/^needs the file web_image/) as string,
      'line 10': expect.stringMatching(/^must have 5 cells/) as string,
    })
    expect(await count(rookery)).toBe(0)
  })

  it('are refused with the first hundred mistakes and the number of the others', async () => {
    const { details } = await refusalOf(rookery, `kind,memo\n${'htp,x\n'.repeat(130)}`)
    expect(Object.keys(details)).toHaveLength(101)
    expect(details['more']).toBe('30 more mistakes are not shown')
  })

  it('are refused as a whole where the file is wrong, and none is created', async () => {
    const wrong: readonly (readonly [csv: string, reason: RegExp])[] = [
      ['kind,memo,broswer_redirect_url\nhttp,x,y', /did you mean browser_redirect_url/],
      ['kind,memo,exe\nhttp,x,y', /is a file/],
      ['kind;memo\nhttp;x', /by commas, not by ";"/],
      ['http,x', /is required: the first row names the columns/],
      ['kind,memo,xoxb-12-ab\nhttp,x,y', /^must be one of .*sql_table$/],
      ['kind,memo,memo\nhttp,x,y', /must be named once/],
      ['kind,memo\n', /must be followed by a row/],
      ['kind,memo\nhttp,"x\nhttp,y\n', /quote " that is not closed/],
      [`kind,memo\nhttp,${'x'.repeat(5 * 1024 * 1024)}`, /cell of 5242880 characters/],
      [`kind,memo\n${'http,x\n'.repeat(10_001)}`, /at most 10000 rows/],
    ]
    for (const [csv, reason] of wrong) {
      const { status, details } = await refusalOf(rookery, csv)
      expect([status, Object.values(details).join(' ')]).toEqual([400, expect.stringMatching(reason)])
    }
    expect(await count(rookery)).toBe(0)
  })

  it('may come as a file with a byte order mark, and formulas among them run nothing in the answer', async () => {
    const form = new FormData()
    form.append('csv', new Blob(['\uFEFFkind,memo\r\nhttp,=1+1\r\n']), 'tokens.csv')
    const address = `${rookery.console.apiUrl ?? ''}/api/v1/decoytokens/create`
    const answer = await fetch(address, { method: 'POST', headers: { 'X-Auth-Token': ADMIN }, body: form })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [created] = rowsOf(await answer.text())
    expect(created?.memo).toBe("'=1+1")
    const { token } = await rookery.api.tokens.fetch({ decoytoken: created?.decoytoken ?? '' })
    expect(token.memo).toBe('=1+1')
  })

  it('in another encoding than UTF-8 are refused, as a file and as a form', async () => {
    const text = 'kind,memo\r\nhttp,Büro\r\n'
    const refusalOfBytes = async (body: FormData | string): Promise<unknown> => {
      const address = `${rookery.console.apiUrl ?? ''}/api/v1/decoytokens/create`
      const form = typeof body === 'string' && { 'Content-Type': 'application/x-www-form-urlencoded' }
      const headers = { 'X-Auth-Token': ADMIN, ...form }
      const answer = await fetch(address, { method: 'POST', headers, body })
      return ((await answer.json()) as { details: unknown }).details
    }
    const asForm = (bytes: Buffer): string => `csv=${bytes.toString('hex').replace(/../g, '%$&')}`
    const asFile = (bytes: Buffer): FormData => {
      const form = new FormData()
      form.append('csv', new Blob([Uint8Array.from(bytes)]), 'tokens.csv')
      return form
    }
    const latin1 = Buffer.from(text, 'latin1')
    const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le')
    expect(await refusalOfBytes(asFile(latin1))).toEqual({ csv: 'must be text in UTF-8' })
    expect(await refusalOfBytes(asFile(utf16))).toEqual({ csv: 'must be text in UTF-8' })
    expect(await refusalOfBytes(asForm(latin1))).toEqual({ 'line 2': 'must be text in UTF-8' })
    expect(await refusalOfBytes(asForm(utf16))).toEqual({ csv: 'must not contain the NUL character' })
    expect(await count(rookery)).toBe(0)
  })

  it('are created once, however often the CSV comes; one that was deleted is created again', async () => {
    const csv = `kind,memo\n${Array.from({ length: 20 }, (_, n) => `http,m${n}`).join('\n')}`
    const first = await createMany(rookery, csv)
    expect(await createMany(rookery, csv)).toEqual(first)
    await rookery.api.tokens.remove({ decoytoken: first[3]?.decoytoken ?? '' })
    const again = await createMany(rookery, csv)
    expect(again.filter(({ decoytoken }, at) => decoytoken !== first[at]?.decoytoken)).toHaveLength(1)
    expect(await count(rookery)).toBe(20)
    expect(await createMany(rookery, csv, { batch_id: 'another' })).toHaveLength(20)
    expect(await count(rookery)).toBe(40)
    const changed = await refusalOf(rookery, csv.replace('m7', 'm8'), { batch_id: 'another' })
    expect([changed.status, changed.message]).toEqual([
      409,
      'Row 8 of the batch another was another one before: use another batch_id.',
    ])
  })

  it('of a Flock are out of reach for the key of another', async () => {
    const { flock_id = '' } = await rookery.api.flocks.create({ name: 'Branch' })
    await createMany(rookery, 'kind,memo\nhttp,x', { batch_id: 'b' })
    const other = await refusalOf(rookery, 'kind,memo\nhttp,x', { batch_id: 'b', flock_id })
    expect(other.status).toBe(409)
  })

  it('of a Flock out of reach read as of one that is not there, and none is created', async () => {
    const { flock_id = '' } = await rookery.api.flocks.create({ name: 'Office' })
    await addPerson(rookery, ANN, { access_level: 'user' })
    await rookery.api.users.assign({ email: ANN, flock_id, role: 'manager' })
    const { halves } = await signIn(rookery)
    const csv = ['kind,memo,flock_id', 'http,mine,', 'http,theirs,flock:default', 'http,nowhere,flock:none']
    const before = (await rookery.get('/decoytokens/list')).text
    const ask = (lines: readonly string[]) =>
      openAs(rookery, halves, 'POST', '/decoytokens/create', { flock_id, csv: lines.join('\n') })
    expect(await (await ask(csv)).json()).toMatchObject({
      details: {
        'line 3, column flock_id': 'Flock does not exist., not "flock:default"',
        'line 4, column flock_id': 'Flock does not exist., not "flock:none"',
      },
    })
    expect((await rookery.get('/decoytokens/list')).text).toBe(before)
    expect((await ask(csv.slice(0, 2))).status).toBe(200)
  })
})
