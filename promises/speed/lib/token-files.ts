// Files of tokens: how fast they are downloaded, and how fast tokens are made of an uploaded document, while the API answers.
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { program } from '@rookery/tokens/authenticode/testing/program.ts'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { readZip } from '@rookery/kernel/zip/read.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { atLeast, atMost, exactly, percentile, type Row } from '../../rig/case.ts'
import { ADMIN, type RunningConsole } from '../../rig/scenes/console.ts'
import { getRequest, type Load, type Loader } from '../../rig/load/load.ts'
import { sized } from '../../rig/scale.ts'

const KINDS = { docx: 'doc-wordproc', xlsx: 'doc-spreadsheet', pdf: 'pdf-reader', zip: 'os-dir' } as const
const CONNECTIONS = 16
const UPLOAD_BYTES = 100_000
const AUTH = { 'X-Auth-Token': ADMIN }
const API = '/api/v1'

export async function measureFiles(console: RunningConsole, loader: Loader): Promise<Row[]> {
  const host = '127.0.0.1'
  const ms = sized(4_000, 500)
  const load = (requests: readonly string[]): Promise<Load> =>
    loader.run({ host, port: console.port, connections: CONNECTIONS, requests, ms })
  const rates: Row[] = []
  let refused = 0
  const measure = async (what: string, request: string, least = 100): Promise<void> => {
    // The first file loads the libraries of its kind.
    await loader.run({ host, port: console.port, connections: 1, requests: [request], count: 5 })
    const { perSecond, refused: no, broken } = await load([request])
    refused += no + broken
    rates.push(atLeast(what, perSecond, '/s', least))
  }
  const stopped = new AbortController()
  const asking = askMeanwhile(console, stopped.signal)
  for (const [ending, kind] of Object.entries(KINDS))
    await measure(`downloads of ${ending}`, downloadRequest(await createToken(console, kind)))
  await measure('tokens of a 100 KB upload', await documentRequest(console))
  await measure('tokens of a 100 KB program, signed', programRequest(), 5)
  stopped.abort()
  return [
    ...rates,
    atMost('p99 of the API meanwhile', percentile(await asking, 0.99), 'ms', 50),
    exactly('files refused', refused, '', 0),
  ]
}

/** An account of theirs issues what the file holds, and a bench has none. */
const ISSUED = ['chatops-api', 'cloud-b-id']

/** Requests that the forge process answers: each kind of file that is made without an account, and two of an upload. */
export async function forgeRequests(console: RunningConsole): Promise<readonly string[]> {
  const kinds = descriptors.filter(
    (it: TokenDescriptor) => it.downloads && it.kept === undefined && !ISSUED.includes(it.kind),
  )
  const downloads: string[] = []
  for (const { kind, example } of kinds)
    downloads.push(downloadRequest(await createToken(console, kind, example.settings)))
  return [...downloads, await documentRequest(console), programRequest()]
}

const EVERY_MS = 20

/** How long calls took, one after the other, until the signal. */
export async function askMeanwhile(
  console: RunningConsole,
  signal: AbortSignal,
  path = '/decoytokens/list',
): Promise<number[]> {
  const found: number[] = []
  while (!signal.aborted) {
    const startedAt = performance.now()
    await console.get(path)
    found.push(performance.now() - startedAt)
    await setTimeout(EVERY_MS)
  }
  return found
}

async function createToken(
  console: RunningConsole,
  kind: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { json, text } = await console.post('/decoytoken/create', {
    kind,
    memo: 'm',
    flock_id: 'flock:default',
    ...settings,
  })
  const id = (json['decoytoken'] as { decoytoken?: string } | undefined)?.decoytoken
  if (id === undefined) throw new Error(text)
  return id
}

const downloadRequest = (id: string): string =>
  getRequest(`${API}/decoytoken/download?decoytoken=${id}`, AUTH)

/** A document of ours with a picture that makes it as large as it must be. */
async function documentRequest(console: RunningConsole): Promise<string> {
  const id = await createToken(console, KINDS.docx)
  const response = await fetch(
    `http://127.0.0.1:${console.port}${API}/decoytoken/download?decoytoken=${id}`,
    {
      headers: AUTH,
    },
  )
  const parts = readZip(Buffer.from(await response.arrayBuffer()), {
    entries: 100,
    unpackedBytes: 1_000_000,
    ratio: 100,
  })
  const picture = zipEntry('word/media/image1.png', randomBytes(UPLOAD_BYTES))
  return creationRequest(KINDS.docx, 'doc"; filename="given.docx', writeZip([...parts, picture]))
}

const programRequest = (): string =>
  creationRequest('signed-exe', 'exe"; filename="given.exe', program({ content: UPLOAD_BYTES }))

/** A token with one file; `upload` is the name of its part and, behind a quote, its file name. */
function creationRequest(kind: string, upload: string, bytes: Buffer): string {
  const boundary = 'boundary-of-the-bench'
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const body =
    field('kind', kind) +
    field('memo', 'm') +
    field('flock_id', 'flock:default') +
    field(upload, bytes.toString('latin1')) +
    `--${boundary}--\r\n`
  return [
    `POST ${API}/decoytoken/create HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${body.length}`,
    ...Object.entries(AUTH).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
}
