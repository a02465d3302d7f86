// Identifiers and their shapes. Everything random comes from the caller's source.
import type { Random } from './world.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** `digits` random lower-case hex digits. */
export function hex(random: Random, digits: number): string {
  return Buffer.from(random.bytes(Math.ceil(digits / 2)))
    .toString('hex')
    .slice(0, digits)
}

/** `length` random characters of a–z and 0–9, without bias. */
export const alphanumeric = (random: Random, length: number): string => characters(random, ALPHABET, length)

/** `length` random characters of up to 256, without bias. */
export function characters(random: Random, alphabet: string, length: number): string {
  // Higher bytes would favour the first characters.
  const end = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < end && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** 32 hex digits in the form of a UUID, with the digits of a version and of a variant (RFC 9562, 4). */
export const uuid = (digits: string, version: string, variant: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')

export const DEFAULT_FLOCK = 'flock:default'
/** Stands where a Flock's id stands, for what belongs to the console itself. */
export const CONSOLE = 'console'

export const newFlockId = (random: Random): string => `flock:${hex(random, 32)}`
export const newNodeId = (random: Random): string => hex(random, 16)
export const newKey = (random: Random): string => hex(random, 32)
export const newKeyId = (random: Random): string => hex(random, 8)
export const newTag = (random: Random): string => hex(random, 32)

/** `devicesettings:<24 hex>:<epoch seconds>`: the name of one version of a Bird's settings. */
export const newSettingsTag = (random: Random, atMs: number): string =>
  `devicesettings:${hex(random, 24)}:${Math.floor(atMs / 1000)}`

/** No incident's key is longer, and the API takes no longer one. */
export const INCIDENT_KEY_LENGTH = 200
/** The longest IPv6 address has 45 characters. */
const KEY_SOURCE_LENGTH = 64

/** `incident:<slug>:<24 hex>:<source>:<created epoch seconds>`: the source as far as it fits, and readable in a URL. */
export function incidentKey(slug: string, hexPart: string, source: string, createdAt: number): string {
  const shown = source.slice(0, KEY_SOURCE_LENGTH).replace(/[^\w.:-]/g, '-')
  return `incident:${slug}:${hexPart}:${shown}:${Math.floor(createdAt / 1000)}`
}
