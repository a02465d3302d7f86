// Turns the bytes of a body into parameters; one for each content type (decode.ts).
import type { Upload } from '@rookery/contract/fields.ts'

/** A parameter as it came: text, a JSON value of a JSON body, or a file. */
export type RawValue = string | Upload | readonly unknown[] | Readonly<Record<string, unknown>>

/** Each method throws a `Fault` for a body that cannot be read. */
export interface BodyDecoder {
  push(bytes: Buffer): void
  /** The texts of these parameters that lie whole in what was pushed so far; of one that comes twice the first. */
  find(names: readonly string[], hasEnded: boolean): ReadonlyMap<string, string>
  /** `reserve` is called with the bytes that the parameters will take in memory besides the body, where they take any. */
  end(reserve?: (bytes: number) => void): Iterable<readonly [string, RawValue]>
}
