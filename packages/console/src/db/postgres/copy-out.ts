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
      new CopyOut(text, answerMs, (error, pieces) => {
        try {
          if (error) reject(error)
          else resolve(rowsOf(Buffer.concat(pieces)))
        } catch (wrong) {
          reject(wrong as Error)
        }
      }),
    )
  })
}

type Told = (error: Error | null | undefined, pieces: Buffer[]) => void

/** A query whose answer is copied; the client calls `handleCopyData` with each piece of it. */
class CopyOut extends pg.Query {
  readonly #pieces: Buffer[] = []
  // The client reads this one as it does of any query.
  readonly query_timeout: number

  constructor(text: string, answerMs: number, told: Told) {
    super(text, [], (error) => told(error, this.#pieces))
    this.query_timeout = answerMs
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The connection reads its next bytes into the same memory.
    this.#pieces.push(Buffer.from(chunk))
  }
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const FLAGS_BYTES = 4
const END = -1
const NULL = -1

function rowsOf(bytes: Buffer): CopiedRow[] {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('Copied rows begin otherwise.')
  let at = SIGNATURE.length + FLAGS_BYTES
  at += 4 + bytes.readUInt32BE(at)
  const rows: CopiedRow[] = []
  for (;;) {
    const fields = bytes.readInt16BE(at)
    at += 2
    if (fields === END) return rows
    const row: (Uint8Array<ArrayBuffer> | null)[] = []
    for (let field = 0; field < fields; field++) {
      const length = bytes.readInt32BE(at)
      at += 4
      if (length === NULL) {
        row.push(null)
        continue
      }
      // Memory of its own, so that it can be seen as numbers of any size.
      row.push(Uint8Array.prototype.slice.call(bytes, at, at + length) as Uint8Array<ArrayBuffer>)
      at += length
    }
    rows.push(row)
  }
}
