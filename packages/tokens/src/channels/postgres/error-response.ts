// The message by which a server refuses a client.
import type { PostgresAnswer } from './visit.ts'

/**
 *   byte     0       1 … 4         5 …
 *           ┌─────┬────────────┬───────────────────────────────────────┬────┐
 *           │ 'E' │ length, BE │ fields: a letter, a text, a NUL; … │ 0  │
 *           └─────┴────────────┴───────────────────────────────────────┴────┘
 * The length counts itself, not the first byte.
 */
export function errorResponse({ code, message, raisedBy: { file, line, routine } }: PostgresAnswer): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`, `F${file}`, `L${line}`, `R${routine}`]
  // A NUL ends a field.
  const texts = fields.map((field) => `${field.replaceAll('\0', '')}\0`).join('')
  const body = Buffer.from(`${texts}\0`)
  const head = Buffer.from('E0000')
  head.writeUInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
