// The settings of a kind: read out of what a caller gave, checked against the descriptor.
import { Fault } from '@rookery/kernel/fault.ts'
import type { TokenDescriptor, TokenSettingDescriptor, TokenSettingType } from './descriptor.ts'
import { MAX_CHARACTERS, readValue } from './setting-values.ts'

/** A file as a caller sent it, with the content type that its bytes show. */
export interface UploadedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Where the bytes of an uploaded file lie: what the settings of a token hold in its place. */
export interface StoredFile {
  readonly fileId: string
  readonly filename: string
  readonly contentType: string
  readonly size: number
}

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array

export const isStoredFile = (value: unknown): value is StoredFile =>
  typeof value === 'object' && value !== null && 'fileId' in value

/** What is read of a setting. */
type ValueOf<S extends TokenSettingDescriptor> = S extends { readonly type: 'choice' }
  ? S['choices'][number]
  : {
      readonly text: string
      readonly url: string
      readonly boolean: boolean
      readonly file: StoredFile
      readonly domain: string
      readonly choice: string
      readonly list: readonly string[]
      readonly duration: number
    }[S['type']]

type Descriptors = TokenDescriptor['settings']
type Assured = { readonly required: true } | { readonly default: unknown }

/** A kind's settings by name: those that are required or have a default are there. */
export type SettingsOf<D extends Descriptors> = {
  readonly [Name in keyof D as D[Name] extends Assured ? Name : never]: ValueOf<D[Name]>
} & { readonly [Name in keyof D as D[Name] extends Assured ? never : Name]?: ValueOf<D[Name]> }

/** Settings of a kind that the compiler does not know, as `readSettings` answered them. */
export type TokenSettings = Readonly<Record<string, unknown>>

type Kind = Pick<TokenDescriptor, 'kind' | 'settings'>

/**
 * The settings of a new token, with the files as they were uploaded. What the kind does not know is left out; a missing or
 * wrong one is a `bad-input`.
 */
export const readSettings = (kind: Kind, given: TokenSettings): TokenSettings =>
  read(kind, Object.entries(kind.settings), given)

/** Those of the kind's settings that were given, for a token that has the others already. */
export const readGivenSettings = (kind: Kind, given: TokenSettings): TokenSettings =>
  read(
    kind,
    Object.entries(kind.settings).filter(([name]) => (given[name] ?? undefined) !== undefined),
    given,
  )

function read(
  { kind }: Kind,
  settings: readonly (readonly [name: string, setting: TokenSettingDescriptor])[],
  given: TokenSettings,
): TokenSettings {
  const values: Record<string, unknown> = {}
  const missing: Record<string, string> = {}
  const invalid: Record<string, string> = {}
  for (const [name, setting] of settings) {
    const value = given[name] ?? ('default' in setting ? setting.default : undefined)
    if (value === undefined) {
      if (setting.required) missing[name] = `is required for the kind ${kind}`
      continue
    }
    const reading = readValue(setting, value)
    if ('value' in reading) values[name] = reading.value
    else invalid[name] = reading.reason
  }
  const details = { ...invalid, ...missing }
  const [first] = Object.keys(details)
  if (first === undefined) return values
  const message = first in invalid ? `Parameter ${first} was invalid.` : `Parameter ${first} is required.`
  throw new Fault('bad-input', message, { details })
}

const RULES: {
  readonly [T in TokenSettingType]: (it: Extract<TokenSettingDescriptor, { type: T }>) => string
} = {
  boolean: () => '',
  url: () => 'absolute, http or https',
  domain: () => 'a domain name',
  text: ({ maxLength = MAX_CHARACTERS, characters }) =>
    `at most ${maxLength} characters${characters === undefined ? '' : ` of ${characters}`}`,
  file: ({ maxBytes, formats }) => `${formats.join(', ')} of at most ${maxBytes} bytes`,
  choice: ({ choices }) => `one of ${choices.join(', ')}`,
  list: ({ maxItems }) => `at most ${maxItems}, separated by commas`,
  duration: ({ min, max }) => `from ${min} to ${max}, with the units y, mo, w, d, h`,
}

/** What a value must be like besides its type, for the reference and for forms; empty where the type says all. */
export const rulesOf = <T extends TokenSettingType>(
  setting: Extract<TokenSettingDescriptor, { type: T }>,
): string => RULES[setting.type as T](setting)
