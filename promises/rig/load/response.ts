// Finds where each HTTP/1.1 response ends, and nothing else (RFC 9112, 6.3).

const END_OF_HEAD = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Feed it what arrives, one response under way at a time; `done` gets its status, its length in bytes, and whether the server closes. */
export function responseReader(
  done: (status: number, bytes: number, closes: boolean) => void,
): (chunk: Buffer) => void {
  let head = ''
  let status = 0
  let total = 0
  /** Bytes of the body that are still to come; -1: chunked. */
  let missing = 0
  let isInBody = false
  let tail = ''
  let closes = false

  function finish(): void {
    const length = total
    isInBody = false
    head = tail = ''
    total = 0
    done(status, length, closes)
  }

  function body(chunk: Buffer): void {
    if (missing < 0) {
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - LAST_CHUNK.length))).slice(
        -LAST_CHUNK.length,
      )
      if (tail === LAST_CHUNK) finish()
      return
    }
    missing -= chunk.length
    if (missing <= 0) finish()
  }

  return (chunk) => {
    total += chunk.length
    if (isInBody) return body(chunk)
    const before = head.length
    head += chunk.toString('latin1', 0, Math.min(chunk.length, 4096))
    const end = head.indexOf(END_OF_HEAD)
    if (end < 0) return
    status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1]
    closes = /\r\nconnection: *close\r\n/i.test(head.slice(0, end + 2))
    missing = length === undefined ? -1 : Number(length)
    isInBody = true
    // The head's own end counts as the line end before the first chunk.
    tail = '\r\n'
    body(chunk.subarray(end + END_OF_HEAD.length - before))
  }
}
