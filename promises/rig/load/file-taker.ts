// A Bird's side of one file, by the window of a real one; it applies what is whole by saying so.
import { createHash } from 'node:crypto'
import type { Frame } from '@rookery/link/messages.ts'
import type { FileFrame } from './link-client.ts'

/** As the Bird's own: pieces under way, and bytes of one. */
const WINDOW = 4
const PIECE_BYTES = 32 * 1024

interface Taken {
  readonly size: number
  readonly sha256: string
  readonly pieces: Map<number, Buffer>
  asked: number
}

/** What a link client does with files; `onEnd` is called once for each, with the state that it said. */
export function fileTaker(onEnd: (state: 'applied' | 'failed') => void) {
  const files = new Map<string, Taken>()

  function askOn(job: string, file: Taken, send: (frame: Frame) => void): void {
    const length = Math.min(PIECE_BYTES, file.size - file.asked)
    if (length <= 0) return
    send({ kind: 'FILE_FETCH', body: { job, offset: file.asked, length } })
    file.asked += length
  }

  return (frame: FileFrame, send: (frame: Frame) => void): void => {
    const { job } = frame.body
    if (frame.kind === 'FILE_OFFER') {
      const { file } = frame.body
      if (!file || files.has(job)) return
      const taken: Taken = { ...file, pieces: new Map(), asked: 0 }
      files.set(job, taken)
      for (let n = 0; n < WINDOW; n++) askOn(job, taken, send)
      return
    }
    const file = files.get(job)
    if (!file) return
    file.pieces.set(frame.body.offset, Buffer.from(frame.body.bytes, 'base64'))
    askOn(job, file, send)
    const has = file.pieces.values().reduce((sum, { length }) => sum + length, 0)
    if (has < file.size) return
    const bytes = Buffer.concat([...file.pieces].toSorted(([a], [b]) => a - b).map(([, piece]) => piece))
    const isWhole = createHash('sha256').update(bytes).digest('hex') === file.sha256
    const state = isWhole ? 'applied' : 'failed'
    file.pieces.clear()
    send({
      kind: 'FILE_STATE',
      body: { job, state, copied: has, pid: 77, reason: isWhole ? '' : 'the bytes have another sum' },
    })
    onEnd(state)
  }
}
