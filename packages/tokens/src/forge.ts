// The file that a kind plants. A forge runs in the console's forge process alone: it may load libraries and take its time.
import type { Derive } from './derive.ts'
import type { TokenDescriptor } from './descriptor.ts'
import type { IssuedValues } from './issued-values.ts'
import type { SettingsOf, TokenSettings } from './settings.ts'
import type { Placement, TokenAddress } from './token.ts'

export interface ForgedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A text in UTF-8, each line with its end. */
export const textFile = (
  filename: string,
  lines: readonly string[],
  contentType = 'text/plain; charset=utf-8',
): ForgedFile => ({ filename, contentType, bytes: Buffer.from(`${lines.join('\n')}\n`) })

export interface ForgeInput<S> {
  readonly address: TokenAddress
  readonly placement: Placement
  readonly settings: S
  /** The uploaded files, by the names of their settings. */
  readonly uploads: Readonly<Record<string, Uint8Array>>
  /** What the token's provider issued; empty for a token without one. */
  readonly issued: IssuedValues
  /** Bytes that look random, so that each download is the same file. */
  readonly derive: Derive
}

export interface Forge<S = TokenSettings> {
  /** Throws a `bad-input` that names the parameter for an upload that it cannot use. */
  file(input: ForgeInput<S>): ForgedFile | Promise<ForgedFile>
}

/** Settings are typed by the descriptor, whose `downloads` is true. */
export const forge = <const D extends TokenDescriptor & { readonly downloads: true }>(
  _descriptor: D,
  definition: Forge<SettingsOf<D['settings']>>,
): Forge => definition
