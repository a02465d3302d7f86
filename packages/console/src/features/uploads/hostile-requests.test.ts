// The endpoint of uploads is asked by strangers: whatever they send, its job takes one whole zip of who has the password.
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { registeredBird } from '../../../test/birds.ts'
import { sendBytes } from '../../../test/bytes.ts'
import { engines, sharedTestConsole } from '../../../test/test-console.ts'
import { removeBird } from '../../stores/birds/commission.ts'
import { latestTransfer } from '../../stores/transfers/store.ts'

const zip = writeZip([zipEntry('index.html', 'mine')])
const basic = (password: string, user = 'upload'): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

describe.each(engines)('the endpoint of uploads (%s)', (engine) => {
  const rookery = sharedTestConsole({ engine })
  const urlOf = (job: string): string => `${rookery.console.apiUrl}/upload/${job}`

  async function started() {
    const node_id = await registeredBird(rookery, { live: 1, takes_files: 1 })
    const { job_id: job = '', password = '' } = await rookery.api.uploads.webrootStart({ node_id })
    return { node_id, job, password, Authorization: basic(password) }
  }
  const send = async (job: string, headers: Readonly<Record<string, string>>, more: RequestInit = {}) => {
    const answer = await fetch(urlOf(job), { method: 'PUT', body: zip, headers, ...more })
    return {
      status: answer.status,
      json: (await answer.json()) as Record<string, unknown>,
      headers: answer.headers,
    }
  }
  const rowOf = (node_id: string) => latestTransfer(rookery.console.base.reader, node_id, 'webroot')
  /** As one text of bytes; answers the status lines that came back. */
  const statusesOf = async (lines: readonly string[], body = ''): Promise<string[]> => {
    const head = [...lines, 'Host: 127.0.0.1', 'Connection: close', '', ''].join('\r\n')
    const answer = await sendBytes(rookery.console.apiUrl ?? '', head + body)
    return [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = '']) => status)
  }

  it('takes PUT and POST, and says so to every other method, a browser among them', async () => {
    const { job, Authorization } = await started()
    for (const method of ['GET', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(urlOf(job), { method, headers: { Authorization, Accept: 'text/html' } })
      const { error } = (await answer.json()) as { error: string }
      expect([method, answer.status, answer.headers.get('allow'), error]).toEqual([
        method,
        405,
        'PUT, POST',
        'method-not-allowed',
      ])
    }
    expect((await fetch(urlOf(job), { method: 'HEAD' })).status).toBe(405)
    // What is no job is asked for in the same way.
    expect((await fetch(urlOf('f'.repeat(32)))).status).toBe(405)
  })

  it('wants to know how long the zip is, and that it is the whole of it', async () => {
    const { job, node_id, password, Authorization } = await started()
    const put = [`PUT /upload/${job} HTTP/1.1`, `Authorization: ${Authorization}`]
    const { length } = zip
    const body = zip.toString('latin1')
    expect(
      await statusesOf(
        [...put, 'Transfer-Encoding: chunked'],
        `${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ),
    ).toEqual(['411'])
    expect(await statusesOf(put)).toEqual(['411'])
    for (const said of ['0', '-1', '+5', '1e3', '0x10', '9'.repeat(30)])
      expect([said, (await statusesOf([...put, `Content-Length: ${said}`], body))[0]]).toEqual([
        said,
        expect.stringMatching(/^4(00|11|13)$/),
      ])
    expect(await statusesOf([...put, 'Content-Length: 5', 'Content-Length: 6'], body)).toEqual(['400'])
    expect(
      await statusesOf([...put, `Content-Length: ${length}`, 'Transfer-Encoding: chunked'], body),
    ).toEqual(['400'])
    // A part of a file is no file (RFC 9110, 14.4).
    const part = await send(job, { Authorization, 'Content-Range': `bytes 0-${length - 1}/${length * 2}` })
    expect([part.status, part.json['message']]).toEqual([400, expect.stringContaining('Content-Range')])
    expect(await rowOf(node_id)).toMatchObject({ file_id: '', ended_at: null })
    // What stands behind the announced bytes is another request, and none of the zip.
    expect(await statusesOf([...put, `Content-Length: ${length}`], `${body}\r\nmore`)).toEqual(['200'])
    expect(await rowOf(node_id)).toMatchObject({ size: length })
    expect(password).not.toBe('')
  })

  it('lets a client wait for its word before the body comes, and says no at once', async () => {
    const { job, Authorization } = await started()
    const head = (authorization: string): readonly string[] => [
      ...[`PUT /upload/${job} HTTP/1.1`, `Authorization: ${authorization}`],
      ...[`Content-Length: ${zip.length}`, 'Expect: 100-continue'],
    ]
    expect((await statusesOf(head(basic('wrong')))).at(-1)).toBe('401')
    expect(await statusesOf(head(Authorization), zip.toString('latin1'))).toEqual(['100', '200'])
  })

  it('takes one zip at a time, and none once the job has ended or its Bird is gone', async () => {
    const { job, node_id, Authorization } = await started()
    const { hostname, port } = new URL(rookery.console.apiUrl ?? '')
    /** Sends all but the last byte; `finish` sends that. */
    function begin() {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      const head = [`PUT /upload/${job} HTTP/1.1`, 'Host: x', 'Connection: close']
      const more = [`Authorization: ${Authorization}`, `Content-Length: ${zip.length}`, '', '']
      socket.write([...head, ...more].join('\r\n'))
      socket.write(zip.subarray(0, -1))
      let answer = ''
      socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')))
      const closed = new Promise<string>((done) => socket.on('close', () => done(answer)))
      return { closed, finish: () => void socket.write(zip.subarray(-1)) }
    }
    const both = [begin(), begin()]
    const refused = await Promise.race(both.map(({ closed }, n) => closed.then((answer) => ({ n, answer }))))
    expect(refused.answer).toMatch(/^HTTP\/1\.1 409 [^]*is arriving already/)
    const arriving = both[1 - refused.n]
    const { writer, world } = rookery.console.base
    await writer.write((tx) => removeBird(tx, { node_id, flock_id: 'flock:default' }, world))
    expect((await rookery.get('/device/info', { node_id })).status).toBe(404)
    arriving?.finish()
    expect(await arriving?.closed).toMatch(/^HTTP\/1\.1 404 [^]*was ended while the zip arrived/)
    expect((await send(job, { Authorization })).status).toBe(404)
    const owned = rookery.console.base.reader.selectFrom('stored_file').where('owner', '=', job)
    expect(await owned.select('file_id').execute()).toEqual([])
  })

  it('knows its job by nothing but its number, and its password by nothing but its own', async () => {
    const [one, other] = [await started(), await started()]
    const status = async (path: string): Promise<string | undefined> =>
      (
        await statusesOf(
          [`PUT ${path} HTTP/1.1`, `Authorization: ${one.Authorization}`, `Content-Length: ${zip.length}`],
          zip.toString('latin1'),
        )
      )[0]
    for (const path of [
      `/upload/${one.job}%00`,
      `/upload/%00`,
      `/upload/${one.job.toUpperCase()}x`,
      `/upload/${one.job}/..`,
      `/upload/..%2f${one.job}`,
      `/upload/%ff`,
      `/upload/${'a'.repeat(5_000)}`,
      `/UPLOAD/${one.job}`,
      `/upload/`,
      `/upload/%25%30`,
      `/upload/' OR '1'='1`,
      `/api/v1/../../upload/${one.job}`,
      `/upload/./${one.job}`,
      `/upload/%2e%2e/${one.job}`,
    ])
      expect([path, await status(path)]).toEqual([path, expect.stringMatching(/^40[04]$/)])
    const foreign = await send(other.job, { Authorization: one.Authorization })
    expect([foreign.status, foreign.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="upload"'])
    for (const wrong of [
      `Bearer ${one.password}`,
      'Basic',
      'Basic !!!',
      basic(one.password, ''),
      basic(`${one.password}\0`),
      basic(one.password, 'UPLOAD'),
      `Basic ${one.password}`,
      basic(`:${one.password}`),
    ])
      expect([wrong, (await send(one.job, { Authorization: wrong })).status]).toEqual([wrong, 401])
    expect((await send(one.job, { Authorization: one.Authorization })).status).toBe(200)
  })

  it('ends the job at the tenth wrong password, also of thirty at once, and also while the zip arrives', async () => {
    const { job, node_id, Authorization } = await started()
    const tries = await Promise.all(
      Array.from({ length: 30 }, () => send(job, { Authorization: basic('wrong') })),
    )
    expect(tries.filter(({ status }) => ![401, 404].includes(status))).toEqual([])
    expect(
      tries.filter(({ json }) => String(json['message']).includes('wrong passwords ended')),
    ).not.toHaveLength(0)
    expect(await rowOf(node_id)).toMatchObject({ state: 'failed', wrong_passwords: 10, password: '' })
    expect((await send(job, { Authorization })).status).toBe(404)
  })

  it('takes a form with one file, whatever the file is called, and nothing else', async () => {
    const forms: readonly (readonly [string, FormData])[] = [
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\x',
      'a"b\r\nx: y',
      '\0',
      'x'.repeat(3_000),
    ].map((name) => {
      const form = new FormData()
      form.append('zip', new Blob([zip]), name)
      return [name, form]
    })
    for (const [name, body] of forms) {
      const { job, node_id, Authorization } = await started()
      const { status } = await send(job, { Authorization }, { method: 'POST', body })
      expect([name, status]).toEqual([name, 200])
      expect(await rowOf(node_id)).toMatchObject({ size: zip.length })
    }
    const { job, node_id, Authorization } = await started()
    const two = new FormData()
    for (const name of ['a.zip', 'b.zip']) two.append('zip', new Blob([zip]), name)
    const text = new FormData()
    text.append('zip', 'no file')
    for (const body of [two, text, new FormData()])
      expect((await send(job, { Authorization }, { method: 'POST', body })).status).toBe(400)
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary="${'x'.repeat(71)}"`,
      'multipart/form-data; boundary=("',
    ])
      expect((await send(job, { Authorization, 'Content-Type': type })).status).toBe(400)
    expect(await rowOf(node_id)).toMatchObject({ file_id: '', ended_at: null })
  })
})
