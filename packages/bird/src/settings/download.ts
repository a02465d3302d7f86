// Fetches an offered bundle in pieces.
import { CHUNK_BYTES, type Body, type Frame } from '@rookery/link/messages.ts'
import { readBundle, type Bundle } from './bundle.ts'

export interface Download {
  /** A new offer replaces the one under way. */
  offer(offer: Body<'SETTINGS_OFFER'>): void
  chunk(chunk: Body<'SETTINGS_CHUNK'>): void
}

/** `done` gets the bundle, or a sentence about why the offer is no good. */
export function download(
  send: (frame: Frame) => void,
  done: (offer: Body<'SETTINGS_OFFER'>, result: Bundle | string) => void,
): Download {
  let wanted: Body<'SETTINGS_OFFER'> | undefined
  let pieces: Buffer[] = []
  let offset = 0

  function finish(result: Bundle | string): void {
    const offer = wanted!
    wanted = undefined
    pieces = []
    done(offer, result)
  }

  function ask(): void {
    const { tag, size } = wanted!
    send({ kind: 'SETTINGS_FETCH', body: { tag, offset, length: Math.min(CHUNK_BYTES, size - offset) } })
  }

  return {
    offer(offer) {
      wanted = offer
      pieces = []
      offset = 0
      ask()
    },
    chunk({ tag, offset: from, bytes }) {
      if (tag !== wanted?.tag || from !== offset) return
      const piece = Buffer.from(bytes, 'base64')
      if (piece.length === 0 || offset + piece.length > wanted.size) {
        finish(`a piece of ${piece.length} bytes at ${offset} of ${wanted.size} was sent`)
        return
      }
      pieces.push(piece)
      offset += piece.length
      if (offset < wanted.size) ask()
      else finish(readBundle(wanted, Buffer.concat(pieces).toString('utf8')))
    },
  }
}
