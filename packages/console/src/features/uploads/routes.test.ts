// Uploads to Birds over the API and its endpoint, up to the database; `real-bird.test.ts` goes on to the decoys.
import { request as httpRequest } from 'node:http'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { latestTransfer } from '../../stores/transfers/store.ts'

const ONLINE = { live: 1, takes_files: 1 }
const zip = writeZip([zipEntry('index.html', 'mine'), zipEntry('logo.png', randomBytes(300_000))])

type Sent = { readonly status: number; readonly json: Record<string, unknown> }
const basic = (password: string, user = 'upload') => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

describe.each(engines)('an upload (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })
  const urlOf = (job: string): string => `${rookery.console.apiUrl}/upload/${job}`

  async function put(
    job: string,
    password: string,
    body: NonNullable<RequestInit['body']>,
    more: RequestInit = {},
  ): Promise<Sent> {
    const answer = await fetch(urlOf(job), { method: 'PUT', headers: basic(password), body, ...more })
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
  }
  async function started(kind: 'webroot' | 'share' = 'webroot') {
    const node_id = await registeredBird(rookery, ONLINE)
    const { uploads } = rookery.api
    const start = kind === 'webroot' ? uploads.webrootStart : uploads.shareStart
    const { job_id = '', password = '' } = await start({ node_id })
    return { node_id, job: job_id, password }
  }
  const rowOf = (test: TestConsole, node_id: string, kind: 'webroot' | 'share' = 'webroot') =>
    latestTransfer(test.console.base.reader, node_id, kind)

  it('begins with a job, a password and a URL; a second start answers the running one', async () => {
    const node_id = await registeredBird(rookery, ONLINE)
    expect(await rookery.api.uploads.webrootStatus({ node_id })).toEqual({ result: 'success', type: null })
    const first = await rookery.api.uploads.webrootStart({ node_id })
    expect(first).toMatchObject({ result: 'progress', type: 'RequestStart', pid: 0, size: 0, outcome: '' })
    expect(first.job_id).toMatch(/^[0-9a-f]{32}$/)
    expect(first.password).toMatch(/^[a-km-z2-9]{20}$/)
    expect(first.url).toBe(urlOf(first.job_id ?? ''))
    const answers = await Promise.all([1, 2].map(() => rookery.api.uploads.webrootStart({ node_id })))
    expect(answers).toEqual([first, first])
    expect(await rookery.api.uploads.webrootStatus({ node_id })).toEqual(first)
    expect((await rookery.api.uploads.shareStart({ node_id })).job_id).not.toBe(first.job_id)
  })

  it('of a Bird that is unknown, pending, offline or too old is refused, and each says why', async () => {
    const offline = await registeredBird(rookery, { live: 0, takes_files: 1 })
    const old = await registeredBird(rookery, { live: 1, takes_files: 0, version: '3.0.0' })
    for (const [node_id, status, message] of [
      ['none', 404, 'Bird not found'],
      [await pendingBird(rookery), 409, 'is pending, not registered'],
      [offline, 409, `Bird ${offline} is offline.`],
      [old, 409, `Bird ${old} runs release 3.0.0, which takes no files`],
    ] as const) {
      const answer = await rookery.post('/webrootupload/start', { node_id })
      expect([answer.status, answer.json['message']]).toEqual([
        status,
        expect.stringContaining(message) as string,
      ])
    }
  })

  it('takes the zip as PUT and as a form, stores it whole, and takes no second one', async () => {
    const one = await started()
    expect(await put(one.job, one.password, zip)).toMatchObject({
      status: 200,
      json: { result: 'success', size: zip.length },
    })
    expect(await rowOf(rookery, one.node_id)).toMatchObject({ state: 'sending', size: zip.length })
    expect(await put(one.job, one.password, zip)).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('has its zip already') as string },
    })
    const two = await started('share')
    const form = new FormData()
    form.append('zip', new Blob([zip]), 'share.zip')
    const answer = await put(two.job, two.password, form, { method: 'POST' })
    expect(answer).toMatchObject({ status: 200, json: { size: zip.length } })
    expect(await rowOf(rookery, two.node_id, 'share')).toMatchObject({ state: 'waiting', size: zip.length })
    const three = await started()
    form.append('more', 'text')
    expect((await put(three.job, three.password, form)).status).toBe(400)
    expect(await rowOf(rookery, three.node_id)).toMatchObject({ file_id: '', ended_at: null })
  })

  it('without the password is refused, and ten wrong ones end the job', async () => {
    const { job, node_id, password } = await started()
    const bare = await fetch(urlOf(job), { method: 'PUT', body: 'zip' })
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="upload"'])
    expect((await put(job, password, 'zip', { headers: basic(password, 'admin') })).status).toBe(401)
    for (let n = 2; n < 10; n++) expect((await put(job, `${password}x`, 'zip')).status).toBe(401)
    expect(await rowOf(rookery, node_id)).toMatchObject({ wrong_passwords: 9, ended_at: null })
    expect((await put(job, 'wrong', 'zip')).json['message']).toContain('10 wrong passwords ended this upload')
    expect((await put(job, password, zip)).status).toBe(404)
    expect(await rookery.api.uploads.webrootStatus({ node_id })).toMatchObject({
      type: 'End',
      outcome: 'failed',
      reason: '10 wrong passwords were tried.',
      password: '',
    })
    expect((await put('f'.repeat(32), password, 'zip')).status).toBe(404)
  })

  it('without a length, too long, or cut off is refused, and the job goes on', async () => {
    const { job, node_id, password } = await started()
    const send = (headers: Record<string, string>, body: string) =>
      new Promise<number>((resolve, reject) => {
        const options = { method: 'PUT', headers: { ...basic(password), ...headers } }
        const request = httpRequest(urlOf(job), options, (answer) => resolve(answer.statusCode ?? 0))
        request.once('error', reject)
        request.write(body)
        if (headers['Transfer-Encoding']) request.end()
      })
    expect(await send({ 'Transfer-Encoding': 'chunked' }, 'zip')).toBe(411)
    expect(await send({ 'Content-Length': String(32 * 1024 * 1024 + 1) }, 'zip')).toBe(413)
    const cut = httpRequest(urlOf(job), {
      method: 'PUT',
      headers: { ...basic(password), 'Content-Length': '1000' },
    })
    cut.on('error', () => undefined)
    cut.write('half')
    cut.destroy()
    await expect.poll(async () => (await put(job, password, zip)).status).toBe(200)
    expect(await rowOf(rookery, node_id)).toMatchObject({ state: 'sending', size: zip.length })
  })

  it('is cancelled by its end, at once before the zip was offered', async () => {
    const { node_id, job, password } = await started()
    expect(await rookery.api.uploads.webrootEnd({ node_id })).toMatchObject({ type: 'RequestCancel' })
    expect(await rookery.api.uploads.webrootStatus({ node_id })).toMatchObject({
      type: 'End',
      outcome: 'failed',
      reason: expect.stringContaining('Cancelled by') as string,
    })
    expect((await put(job, password, zip)).status).toBe(404)
    expect(await rookery.api.uploads.webrootEnd({ node_id })).toEqual({ result: 'success', type: null })
    expect((await rookery.api.uploads.webrootStart({ node_id })).job_id).not.toBe(job)
  })

  it('of a share is saved by its end, once there is a zip that can be one', async () => {
    const { node_id, job, password } = await started('share')
    const end = () => rookery.post('/shareupload/end', { node_id })
    expect(await end()).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('has not arrived') as string },
    })
    const files = writeZip([zipEntry('HR/Staff.xlsx', 'names'), zipEntry('readme.txt', 'hello')])
    await put(job, password, files)
    expect(await end()).toMatchObject({ status: 200, json: { type: 'RequestEnd', result: 'progress' } })
    expect(JSON.parse((await rowOf(rookery, node_id, 'share'))?.settings ?? '')).toEqual({
      'smb.filetree': [
        {
          name: 'HR',
          type: 'directory',
          children: [
            { name: 'Staff.xlsx', type: 'file', size: 5, modified: '1980-01-01T00:00:00.000Z', uploaded: 0 },
          ],
        },
        { name: 'readme.txt', type: 'file', size: 5, modified: '1980-01-01T00:00:00.000Z', uploaded: 1 },
      ],
    })
    const bad = await started('share')
    await put(bad.job, bad.password, writeZip([zipEntry('../evil', 'x')]))
    const refused = await rookery.post('/shareupload/end', { node_id: bad.node_id })
    expect([refused.status, refused.json['details']]).toMatchObject([
      400,
      { zip: expect.stringContaining('"../evil" has an empty part') as string },
    ])
    expect(await rookery.api.uploads.shareEnd({ node_id: bad.node_id, cancel: true })).toMatchObject({
      type: 'RequestCancel',
    })
    expect((await rookery.post('/shareupload/end', { node_id: bad.node_id })).status).toBe(409)
  })
})
