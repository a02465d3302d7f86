// What a token kind says of itself: pure data that also loads in a browser.
import type { Logtype } from '@rookery/kernel/logtype.ts'

/** A parameter of `factory/create` that a kind takes besides the common ones. */
export interface TokenSettingDescriptor {
  readonly type: 'text' | 'boolean' | 'url' | 'file'
  readonly title: string
  readonly required: boolean
  readonly default?: unknown
}

export interface TokenDescriptor extends Logtype {
  /** The value of `kind` (specification 2.10). */
  readonly kind: string
  /** The display name. */
  readonly name: string
  readonly settings: Readonly<Record<string, TokenSettingDescriptor>>
  /** Has a file to download. */
  readonly downloads: boolean
}

export const describeKind = <const D extends TokenDescriptor>(d: D): D => d
