// An answer as a file.
import { writeFileSync } from 'node:fs'
import { UsageError } from './usage-error.ts'

/** Only the file's owner may read it: some answers contain keys. */
export function save(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`)
  }
  process.stderr.write(`${path}: ${Buffer.byteLength(content)} bytes\n`)
}
