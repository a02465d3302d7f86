// The bytes of one connection that are not read yet. They are joined once enough of them are there, not with each piece.

export interface Inbox {
  add(bytes: Buffer): void
  /** All that came since the connection was opened. */
  received(): number
  /** Everything, if so many bytes are there. */
  whole(least: number): Buffer | undefined
  /** Forgets what was read at the front. */
  drop(bytes: number): void
}

/** A piece of one byte takes a hundred in memory: more pieces than these are joined. */
const PIECES = 64

export function openInbox(): Inbox {
  let pieces: Buffer[] = []
  let length = 0
  let received = 0
  const join = (): Buffer => {
    const [only] = pieces
    const joined = only && pieces.length === 1 ? only : Buffer.concat(pieces, length)
    pieces = [joined]
    return joined
  }
  return {
    add(bytes) {
      pieces.push(bytes)
      length += bytes.length
      received += bytes.length
      if (pieces.length > PIECES) join()
    },
    received: () => received,
    whole: (least) => (length >= least ? join() : undefined),
    drop(bytes) {
      pieces = [join().subarray(bytes)]
      length -= bytes
    },
  }
}
