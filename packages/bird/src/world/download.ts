// A part of a file by HTTP (RFC 9110, section 14). What comes is judged by its hash and its signed manifest: so TLS certificates are
// not checked, as on the link, and mirrors may have one of a private authority.
import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isMirrorAddress, NOT_MIRROR } from '@rookery/link/release/mirror.ts'

/** A server that is silent for so long is given up. */
const SILENCE_MS = 30_000

export interface Part {
  readonly url: URL
  /** The console that this Bird is linked with: its address is not judged again. */
  readonly isConsole: boolean
  /** The first byte that is wanted, and the size of the whole file. */
  readonly from: number
  readonly size: number
  readonly signal: AbortSignal
  readonly onBytes: (bytes: Buffer) => void
}

/** Why no other try makes sense. */
export class Refusal extends Error {}

export type Download = (part: Part) => Promise<void>

/** Resolves once all bytes from `from` on have come; rejects with what went wrong, as a clause: a `Refusal`, or what may pass. */
export const download: Download = async (part) => {
  const response = await answerOf(part)
  try {
    const { from, size, onBytes } = part
    let [skip, at] = [leftOut(response, part), from]
    for await (const piece of response as AsyncIterable<Buffer>) {
      const bytes = piece.subarray(Math.min(skip, piece.length))
      skip -= piece.length - bytes.length
      at += bytes.length
      if (at > size) throw new Refusal(`the file there has more than the ${size} bytes of the release`)
      if (bytes.length > 0) onBytes(bytes)
    }
    if (at < size) throw new Error(`the answer ended after ${at} of ${size} bytes`)
  } finally {
    response.destroy()
  }
}

function answerOf({ url, isConsole, from, signal }: Part): Promise<IncomingMessage> {
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    signal,
    timeout: SILENCE_MS,
    headers: { Range: `bytes=${from}-`, 'Accept-Encoding': 'identity', Connection: 'close' },
    rejectUnauthorized: false,
    ...(!isConsole && { lookup: judgedLookup }),
  }
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // Node looks up no literal address.
    if (!isConsole && isIP(host) !== 0 && !isMirrorAddress(host))
      return reject(new Refusal(`${host} is an address ${NOT_MIRROR}`))
    const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    sent.on('timeout', () => sent.destroy(new Error(`${url.host} was silent for ${SILENCE_MS / 1000} s`)))
    sent.on('error', reject)
    sent.on('response', resolve)
    sent.end()
  })
}

/** How many bytes come before those that are wanted. */
function leftOut({ statusCode = 0, headers }: IncomingMessage, { from, size }: Part): number {
  if (statusCode >= 500) throw new Error(`the answer is HTTP ${statusCode}`)
  if (statusCode >= 300 && statusCode < 400)
    throw new Refusal(`the answer is HTTP ${statusCode}, and no redirect is followed`)
  if (statusCode === 206) {
    const [, first, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
    if (Number(first) !== from) throw new Refusal(`the answer does not begin at the byte ${from}`)
    if (whole !== '*' && Number(whole) !== size) throw otherSize(whole, size)
    return 0
  }
  if (statusCode !== 200) throw new Refusal(`the answer is HTTP ${statusCode}`)
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== size) throw otherSize(length, size)
  return from
}

const otherSize = (there = '', size: number): Refusal =>
  new Refusal(`the file there has ${there} bytes, and the release ${size}`)

/** Resolves at each connect, and answers what a mirror may have: a name that changes its address gains nothing. */
const judgedLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '')
    const [first, ...more] = found.filter(({ address }) => isMirrorAddress(address))
    if (!first) {
      const addresses = found.map(({ address }) => address).join(', ')
      return callback(new Refusal(`${host} is at ${addresses}, ${NOT_MIRROR}`), '')
    }
    if (options.all) callback(null, [first, ...more])
    else callback(null, first.address, first.family)
  })
}
