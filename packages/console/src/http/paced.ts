// The pieces of a long answer, with a turn of the event loop between them: reading them from SQLite and writing them to a
// socket that takes them at once would otherwise be one long turn, in which nobody else is served and no garbage collected.
import { Readable } from 'node:stream'

/** The pieces as a stream that makes the next one only once the last one has left. */
export const paced = (pieces: AsyncIterable<string>): Readable => Readable.from(turnByTurn(pieces))

async function* turnByTurn(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    if (piece === '') continue
    yield Buffer.from(piece)
    await turn()
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
