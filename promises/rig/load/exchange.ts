// One request over HTTP, and the whole of its answer.
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'

export interface Exchanged {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Rejects when the connection ends before the answer does; what cannot be sent at all throws at once. */
export function exchange(options: RequestOptions, body?: string | Buffer): Promise<Exchanged> {
  const asking = request(options)
  return new Promise((resolve, reject) => {
    asking.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      if (headers['content-type']?.startsWith('text/event-stream')) {
        // A stream of events has no end: its head is all that is waited for.
        response.destroy()
        return resolve({ status, headers, text: '' })
      }
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => resolve({ status, headers, text: Buffer.concat(pieces).toString() }))
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
