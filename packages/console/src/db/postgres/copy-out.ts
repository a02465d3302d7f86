// `COPY (SELECT …) TO STDOUT (FORMAT binary)`: rows as the server holds them. In plain results bytes come as hex digits.
import pg from 'pg'

/** What such a statement begins with; it takes no values. */
export const isCopyOut = (text: string): boolean => text.startsWith('COPY (')

/** Each row is its fields as bytes, by their place; null is null. */
export type CopiedRow = readonly (Uint8Array<ArrayBuffer> | null)[]

export function copyOut(
  client: Pick<pg.ClientBase, 'query'>,
  text: string,
  answerMs: number,
): Promise<CopiedRow[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyOut(text, answerMs, (error, rows) => {
        if (error) reject(error)
        else resolve(rows)
      }),
    )
  })
}

type Told = (error: Error | null | undefined, rows: CopiedRow[]) => void

/** A query whose answer is copied; the client calls `handleCopyData` with each message of it. */
class CopyOut extends pg.Query {
  readonly #rows: CopiedRow[] = []
  #isBegun = false
  // The client reads this one as it does of any query.
  readonly query_timeout: number

  constructor(text: string, answerMs: number, told: Told) {
    super(text, [], (error) => told(error, this.#rows))
    this.query_timeout = answerMs
  }

  /** The protocol sends one message a row; what goes before the first row comes with it, or alone. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const at = this.#isBegun ? 0 : SIGNATURE_BYTES + FLAGS_BYTES + LENGTH_BYTES
    this.#isBegun = true
    if (at === chunk.length || chunk.readInt16BE(at) === END) return
    this.#rows.push(rowOf(chunk, at))
  }
}

const SIGNATURE_BYTES = 11
const FLAGS_BYTES = 4
const LENGTH_BYTES = 4
const END = -1
const NULL = -1

function rowOf(bytes: Buffer, start: number): CopiedRow {
  const row: (Uint8Array<ArrayBuffer> | null)[] = []
  const fields = bytes.readInt16BE(start)
  let at = start + 2
  for (let field = 0; field < fields; field++) {
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    if (length === NULL) {
      row.push(null)
      continue
    }
    // Copied, for the connection reads its next bytes into the same memory; and of its own, to be seen as numbers of any size.
    row.push(Uint8Array.prototype.slice.call(bytes, at, at + length) as Uint8Array<ArrayBuffer>)
    at += length
  }
  return row
}
