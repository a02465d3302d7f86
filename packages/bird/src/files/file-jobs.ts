// Files from the console: each is fetched in pieces into `incoming/<job>`, checked, and handed to what its kind does. The fetch
// goes on from the bytes on the disk after a link loss or a restart, and a job that has ended is not done again.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { CHUNK_BYTES, MAX_FILE_REASON, type Body } from '@rookery/link/messages.ts'
import { makeDirectory } from '@rookery/spool/durable-files.ts'
import { INCOMING_FOLDER } from '../data-directory.ts'
import type { BegunFile, StateFile } from '../state-file.ts'
import type { HttpFetch } from './http-fetch.ts'

/** Results of jobs that a Bird remembers. */
const RESULTS = limit('bird_file_results', 50)
/** Bytes of a job that came so long ago belong to one that has ended. */
const FORGOTTEN_MS = 3 * 86_400_000
/** Pieces that are asked for before the first of them has come. */
const UNDER_WAY = 4
/** Of a fetch by HTTP the console hears after so many bytes. */
const REPORTED_BYTES = 8 * CHUNK_BYTES

/** What a kind does with a whole file; throws an Error whose message is the reason when it cannot. */
export type ApplyFile = (bytes: Buffer, offer: Body<'FILE_OFFER'>) => void | Promise<void>
/** Throws such an Error when a file of this offer need not be fetched. */
export type JudgeOffer = (offer: Body<'FILE_OFFER'>) => void

export interface FileJobsDeps {
  /** The Bird's data directory. */
  readonly directory: string
  readonly stateFile: Pick<StateFile, 'values' | 'update'>
  readonly kinds: ReadonlyMap<string, ApplyFile>
  readonly judges?: ReadonlyMap<string, JudgeOffer>
  readonly httpFetch?: HttpFetch
  readonly pid: number
  readonly clock: Pick<Clock, 'now'>
}

export interface FileLink {
  send(frame: FileFrame): void
}
type FileFrame =
  | { readonly kind: 'FILE_FETCH'; readonly body: Body<'FILE_FETCH'> }
  | { readonly kind: 'FILE_STATE'; readonly body: Body<'FILE_STATE'> }

interface Fetch {
  readonly job: string
  readonly offer: Body<'FILE_OFFER'>
  readonly apply: ApplyFile
  readonly sha256: string
  readonly size: number
  readonly path: string
  /** Bytes on the disk. */
  copied: number
  /** Bytes that were asked for. */
  asked: number
  /** Some of them were there before this link. */
  resumed: boolean
  readonly link: FileLink
  /** Of a fetch by HTTP. */
  readonly abort: AbortController
}

export function fileJobs({ directory, stateFile, kinds, judges, httpFetch, pid, clock }: FileJobsDeps) {
  const folder = join(directory, INCOMING_FOLDER)
  removeForgotten(folder, clock.now())
  const fetches = new Map<string, Fetch>()
  /** Jobs whose file is whole, and the link by which its end is sent. */
  const applying = new Map<string, FileLink>()

  const state = statesOf(pid)
  const tell = (link: FileLink, body: Body<'FILE_STATE'>): void => link.send({ kind: 'FILE_STATE', body })

  /** On the disk before it is sent. */
  function end(link: FileLink, result: Body<'FILE_STATE'>): void {
    fetches.get(result.job)?.abort.abort()
    fetches.delete(result.job)
    remember(stateFile, result)
    rmSync(join(folder, result.job), { force: true })
    tell(link, result)
  }

  function offer(link: FileLink, offered: Body<'FILE_OFFER'>): void {
    const { job, kind, cancelled } = offered
    const known = stateFile.values.fileResults?.find((result) => result.job === job)
    if (known) return tell(link, known)
    if (applying.has(job)) {
      applying.set(job, link)
      return
    }
    // A process that was killed may have applied it: it is applied to its end, and the console learns of it.
    const begun = stateFile.values.filesBegun?.find((one) => one.job === job)
    if (cancelled && !begun) return end(link, state(job, 'failed', 0, 'the job was cancelled'))
    const file = cancelled ? begun : offered.file
    const apply = kinds.get(kind)
    if (!apply) return end(link, state(job, 'failed', 0, `this Bird does not know files of the kind ${kind}`))
    if (!file) return tell(link, state(job, 'ready', 0))
    const path = join(folder, job)
    try {
      judges?.get(kind)?.(offered)
      makeDirectory(folder)
      const fetch = newFetch({ ...file, job, offer: offered, apply, path, link })
      fetches.get(job)?.abort.abort()
      fetches.set(job, fetch)
      tell(link, state(job, 'fetching', fetch.copied))
      if (cancelled) void finish(fetch)
      else goOn(fetch)
    } catch (error) {
      end(link, state(job, 'failed', 0, (error as Error).message))
    }
  }

  function goOn(fetch: Fetch): void {
    if (fetch.copied === fetch.size) return void finish(fetch)
    const source = fetch.offer.app?.source
    if (source === undefined || !httpFetch) return ask(fetch)
    const { job, link, abort } = fetch
    fetchByHttp(fetch, httpFetch, source, (copied) => tell(link, state(job, 'fetching', copied))).then(
      () => abort.signal.aborted || goOn(fetch),
      (error: Error) => end(link, state(job, 'failed', fetch.copied, error.message)),
    )
  }

  /** Pieces come in their order; one that was not asked for is left. */
  function chunk({ job, offset, bytes }: Body<'FILE_CHUNK'>): void {
    const fetch = fetches.get(job)
    if (!fetch || offset !== fetch.copied || applying.has(job)) return
    try {
      append(fetch, Buffer.from(bytes, 'base64'))
    } catch (error) {
      return end(fetch.link, state(job, 'failed', fetch.copied, (error as Error).message))
    }
    goOn(fetch)
  }

  async function finish(fetch: Fetch): Promise<void> {
    const { job, size, link } = fetch
    applying.set(job, link)
    const reason = await applyWhole(fetch, stateFile)
    if (reason !== undefined) return settle(job, size, reason, link)
    applying.delete(job)
    goOn(fetch)
  }

  function settle(job: string, size: number, reason: string, link = NO_LINK): void {
    const latest = applying.get(job) ?? link
    applying.delete(job)
    end(latest, state(job, reason === '' ? 'applied' : 'failed', size, reason))
  }

  return {
    offer,
    chunk,
    /** A process before this one has the whole file: what became of it comes by `settle`. */
    hold: (job: string): unknown => applying.set(job, NO_LINK),
    settle,
    /** The link is gone: each job goes on with the next offer. */
    linkLost(): void {
      for (const { abort } of fetches.values()) abort.abort()
      fetches.clear()
    },
  }
}

export type FileJobs = ReturnType<typeof fileJobs>

/** Empty once it is applied, else why it is not; undefined when bytes that were there before are damaged. */
async function applyWhole(fetch: Fetch, stateFile: FileJobsDeps['stateFile']): Promise<string | undefined> {
  const { job, offer, path, size, sha256, apply } = fetch
  try {
    const bytes = readFileSync(path)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
      if (!fetch.resumed) return 'the file that arrived has another SHA-256 than the console offered'
      return forget(fetch)
    }
    stateFile.update({ filesBegun: [...begunBut(stateFile, job), { job, sha256, size }] })
    await apply(bytes, offer)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const NO_LINK: FileLink = { send: () => undefined }

/** It begins with what is on the disk. */
function newFetch(job: Omit<Fetch, 'copied' | 'asked' | 'resumed' | 'abort'>): Fetch {
  const copied = bytesOf(job.path, job.size)
  const resumed = copied > 0 && !job.offer.cancelled
  return { ...job, copied, asked: copied, resumed, abort: new AbortController() }
}

function ask(fetch: Fetch): void {
  while (fetch.asked < fetch.size && fetch.asked - fetch.copied < UNDER_WAY * CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, fetch.size - fetch.asked)
    fetch.link.send({ kind: 'FILE_FETCH', body: { job: fetch.job, offset: fetch.asked, length } })
    fetch.asked += length
  }
}

async function fetchByHttp(
  fetch: Fetch,
  byHttp: HttpFetch,
  source: string,
  report: (copied: number) => void,
): Promise<void> {
  let reported = fetch.copied
  await byHttp({
    source,
    size: fetch.size,
    signal: fetch.abort.signal,
    copied: () => fetch.copied,
    onBytes(bytes) {
      append(fetch, bytes)
      if (fetch.copied - reported < REPORTED_BYTES) return
      reported = fetch.copied
      report(reported)
    },
  })
}

/** On the disk when it returns. */
function remember(stateFile: FileJobsDeps['stateFile'], result: Body<'FILE_STATE'>): void {
  const results = [...(stateFile.values.fileResults ?? []), result]
  if (results.length > RESULTS.max) RESULTS.hit()
  stateFile.update({ fileResults: results.slice(-RESULTS.max), filesBegun: begunBut(stateFile, result.job) })
}

const statesOf =
  (pid: number) =>
  (job: string, state: Body<'FILE_STATE'>['state'], copied: number, reason = ''): Body<'FILE_STATE'> => ({
    job,
    state,
    copied,
    pid,
    reason: reason.slice(0, MAX_FILE_REASON),
  })

/** As many as there are results, with the one that is added. */
const begunBut = ({ values }: Pick<StateFile, 'values'>, job: string): BegunFile[] =>
  (values.filesBegun ?? []).filter((begun) => begun.job !== job).slice(1 - RESULTS.max)

/** Removes what no job can need any more: a console gives up a job after two days without a byte. */
function removeForgotten(folder: string, now: number): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (now - lstatSync(path).mtimeMs > FORGOTTEN_MS) rmSync(path, { recursive: true, force: true })
  }
}

/** How much of the file is there; more than it should have is no part of it. */
function bytesOf(path: string, size: number): number {
  const fd = openSync(path, 'a', 0o600)
  try {
    const there = fstatSync(fd).size
    if (there <= size) return there
    ftruncateSync(fd)
    return 0
  } finally {
    closeSync(fd)
  }
}

/** Behind what is there. */
function append(fetch: Fetch, bytes: Buffer): void {
  const { path, size, copied: offset } = fetch
  if (bytes.length === 0 || bytes.length > Math.min(CHUNK_BYTES, size - offset))
    throw new Error(`the console sent ${bytes.length} bytes at ${offset} of ${size}`)
  const fd = openSync(path, 'r+')
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(fd, bytes, written, bytes.length - written, offset + written)
    fetch.copied = offset + bytes.length
  } finally {
    closeSync(fd)
  }
}

/** A power cut may have damaged the bytes that were there before: all are fetched once more. */
function forget(fetch: Fetch): undefined {
  truncateSync(fetch.path)
  Object.assign(fetch, { copied: 0, asked: 0, resumed: false })
}
