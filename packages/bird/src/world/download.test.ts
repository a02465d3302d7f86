// Downloads from a real server, whole and in parts.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { httpFetch } from '../files/http-fetch.ts'
import { download, Refusal, type Part } from './download.ts'
import { systemClock } from '../world.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const file = randomBytes(200_000)

/** As servers of files answer. */
const ranged: Answer = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1])
  response.writeHead(206, { 'Content-Range': `bytes ${from}-${file.length - 1}/${file.length}` })
  response.end(file.subarray(from))
}

async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What came of a download. */
async function fetched(url: string, more: Partial<Part> = {}): Promise<Buffer> {
  const pieces: Buffer[] = []
  const { signal } = new AbortController()
  await download({
    url: new URL(url),
    isConsole: true,
    from: 0,
    size: file.length,
    signal,
    onBytes: (bytes) => pieces.push(bytes),
    ...more,
  })
  return Buffer.concat(pieces)
}

it('begins at the byte that is wanted, whether the server knows parts or not', async () => {
  for (const answer of [ranged, ((_, response) => response.end(file)) satisfies Answer]) {
    const url = await serve(answer)
    expect((await fetched(url)).equals(file)).toBe(true)
    expect((await fetched(url, { from: 150_001 })).equals(file.subarray(150_001))).toBe(true)
  }
})

it.each<[string, Answer, RegExp]>([
  [
    'a redirect',
    (_, response) => response.writeHead(302, { Location: '/b' }).end(),
    /HTTP 302, and no redirect/,
  ],
  ['no file', (_, response) => response.writeHead(404).end(), /the answer is HTTP 404/],
  [
    'another size',
    (_, response) => response.end('short'),
    /the file there has 5 bytes, and the release 200000/,
  ],
  [
    'more than it said',
    (_, response) => response.writeHead(200).write(file, () => response.end('more')),
    /has more than the 200000 bytes/,
  ],
  [
    'another part',
    (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 7-199999/200000' }).end(),
    /does not begin at the byte 0/,
  ],
  [
    'a part of another file',
    (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 0-8/9' }).end(),
    /has 9 bytes, and the release 200000/,
  ],
])('refuses %s, and does not try again', async (_what, answer, reason) => {
  let asked = 0
  const url = await serve((request, response) => (asked++, answer(request, response)))
  const error = await fetched(url).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Refusal)
  expect((error as Error).message).toMatch(reason)
  expect(asked).toBe(1)
})

it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
  'asks nothing of a mirror at %s: no connection is opened',
  async (host) => {
    let connections = 0
    const server = createServer(ranged).listen(0, '127.0.0.1')
    server.on('connection', () => connections++)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const error = await fetched(`http://${host}:${port}/`, { isConsole: false }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Error).message).toMatch(/loopback, link-local or metadata of a cloud/)
    expect(connections).toBe(0)
  },
)

it('goes on with the next byte after a cut, a 503 and a silent end, and says why it gives up', async () => {
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.headers.range ?? '')
    const from = Number(/\d+/.exec(asked.at(-1) ?? '')?.[0])
    if (asked.length === 2) return void response.writeHead(503).end()
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${file.length - 1}/${file.length}` })
    if (asked.length > 3) response.end(file.subarray(from))
    else response.write(file.subarray(from, from + 60_000), () => response.destroy())
  })
  const pieces: Buffer[] = []
  const copied = () => Buffer.concat(pieces).length
  const fetchFile = httpFetch({
    consoleUrl: `${url}/`,
    clock: { after: (_ms, wake) => systemClock.after(0, wake) },
    download,
  })
  const { signal } = new AbortController()
  const part = {
    source: '/update/a',
    size: file.length,
    signal,
    copied,
    onBytes: (bytes: Buffer) => pieces.push(Buffer.from(bytes)),
  }
  await fetchFile(part)
  expect(Buffer.concat(pieces).equals(file)).toBe(true)
  expect(pieces.every(({ length }) => length <= 32_768)).toBe(true)
  expect(asked).toHaveLength(4)
  expect(asked[3]).not.toBe('bytes=0-')
  const gone = await serve((_, response) => response.writeHead(500).end())
  const fromGone = httpFetch({
    consoleUrl: gone,
    clock: { after: (_ms, wake) => systemClock.after(0, wake) },
    download,
  })
  await expect(fromGone({ ...part, copied: () => 0 })).rejects.toThrow(
    /^the download from 127\.0\.0\.1:\d+ failed: the answer is HTTP 500$/,
  )
})
