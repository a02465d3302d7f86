// Reads one setting's value as its type says, or says what would be right.
import type { TextRules, TokenSettingDescriptor, TokenSettingType } from './descriptor.ts'
import { isDomainName } from './domain-name.ts'
import { durationMs } from './duration.ts'
import { contentTypeOf } from './file-format.ts'

/** A value, or what is wrong with it: `must be …, not …`. */
export type SettingValue = { readonly value: unknown } | { readonly reason: string }

type Reader<T extends TokenSettingType> = (
  value: unknown,
  setting: Extract<TokenSettingDescriptor, { type: T }>,
) => SettingValue

/** The longest text, where a descriptor sets no other bound. */
export const MAX_CHARACTERS = 2_048

const invalid = (expected: string, value: unknown): SettingValue => ({
  reason: `must be ${expected}, not ${shown(value)}`,
})

const readers: { readonly [T in TokenSettingType]: Reader<T> } = {
  boolean: (value) => (typeof value === 'boolean' ? { value } : invalid('true or false', value)),

  text(value, setting) {
    const expected = expectedText(value, setting)
    return expected === undefined ? { value } : invalid(expected, value)
  },

  url(value) {
    const isWebUrl =
      typeof value === 'string' &&
      value.length <= MAX_CHARACTERS &&
      URL.canParse(value) &&
      /^https?:$/.test(new URL(value).protocol)
    return isWebUrl
      ? { value }
      : invalid(`an absolute http or https URL of at most ${MAX_CHARACTERS} characters`, value)
  },

  file(value, { maxBytes, formats }) {
    if (!isUpload(value)) return invalid('a file, sent as multipart/form-data', value)
    const size = value.bytes.byteLength
    if (size === 0) return { reason: 'must be a file that is not empty' }
    if (size > maxBytes) return { reason: `must be a file of at most ${maxBytes} bytes, not ${size}` }
    const judged = contentTypeOf(value.bytes, formats)
    return 'reason' in judged ? judged : { value: { ...value, ...judged } }
  },

  domain(value) {
    const name = typeof value === 'string' ? hostOf(value) : ''
    return isDomainName(name) ? { value: name } : invalid('a domain name such as files.example.com', value)
  },

  choice: (value, { choices }) =>
    choices.some((choice) => choice === value) ? { value } : invalid(`one of ${choices.join(', ')}`, value),

  list(value, setting) {
    const given: readonly unknown[] =
      typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
    const items = [...new Set(given.map((item) => (typeof item === 'string' ? item.trim() : item)))]
    const named = items.filter((item) => item !== '')
    if (named.length === 0) return invalid('a list of texts, separated by commas', value)
    if (named.length > setting.maxItems)
      return { reason: `must be at most ${setting.maxItems} texts, not ${named.length}` }
    for (const item of named) {
      const expected = expectedText(item, setting)
      if (expected !== undefined)
        return { reason: `must be a list, each item ${expected}, not ${shown(item)}` }
    }
    return { value: named }
  },

  duration(value, { min, max }) {
    const ms = typeof value === 'string' ? durationMs(value) : undefined
    return ms !== undefined && ms >= (durationMs(min) ?? 0) && ms <= (durationMs(max) ?? 0)
      ? { value: ms }
      : invalid(`a duration from ${min} to ${max}, with the units y, mo, w, d, h, such as 30d`, value)
  },
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i

/** The host of what people paste: a URL, a host with its port, `*.` in front of it; in the form that browsers compare. */
function hostOf(text: string): string {
  const url = `http://${text.trim().replace(SCHEME, '').replace(/^\*\./, '')}`
  return url.startsWith('http:///') || !URL.canParse(url) ? '' : new URL(url).hostname.replace(/\.$/, '')
}

/** Reads the value of a setting. */
export const readValue = <T extends TokenSettingType>(
  setting: Extract<TokenSettingDescriptor, { type: T }>,
  value: unknown,
): SettingValue => (readers[setting.type as T] as Reader<T>)(value, setting)

/** What a text should have been, in words; undefined when it is right. */
function expectedText(
  value: unknown,
  { maxLength = MAX_CHARACTERS, characters }: TextRules,
): string | undefined {
  const isText = typeof value === 'string' && value !== '' && !/\p{Cc}/u.test(value)
  if (!isText || value.length > maxLength) return `one line of 1 to ${maxLength} characters`
  const isAllowed = characters === undefined || new RegExp(`^[${characters}]+$`, 'u').test(value)
  return isAllowed ? undefined : `of the characters ${inWords(characters)}`
}

/** A class of characters without the escapes of regular expressions. */
const inWords = (characters: string): string =>
  characters.replaceAll('\\p{L}', 'letters, ').replaceAll('\\p{N}', 'digits, ')

const isUpload = (value: unknown): value is { filename: string; bytes: Uint8Array } =>
  typeof value === 'object' &&
  value !== null &&
  'filename' in value &&
  typeof value.filename === 'string' &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 64 ? `${text.slice(0, 64)}…` : text
}
