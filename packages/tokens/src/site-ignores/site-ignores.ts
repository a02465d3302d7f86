// Sites where a copy of a page raises nothing (4.10): regular expressions that a token has in its settings.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { TokenSettings } from '../settings.ts'
import type { LinearRegex } from './linear-regex.ts'
import { splitPatterns } from './patterns.ts'

/** What of a token's settings is its list. */
export interface SiteIgnores {
  readonly ignores: readonly string[]
  readonly ignores_enabled: boolean
}

/** Where a page is shown by somebody who does no harm: on their own machine, by a translator, from an archive. */
const HARMLESS = [
  '^localhost$',
  '^127\\.0\\.0\\.1$',
  '(^|\\.)translate\\.goog$',
  '^web\\.archive\\.org$',
  '^webcache\\.googleusercontent\\.com$',
]

const MAX_PATTERNS = 100
/** Instructions of a whole list. */
const MAX_SIZE = 2_000
/** Of a whole list: each has hundreds of ranges, and RE2 needs quadratic time to unite them in one class. */
const MAX_UNICODE_CLASSES = 32
/** Longer addresses are cut before they are matched. */
const MAX_ADDRESS_CHARACTERS = 512
/** Regular expressions of cloned-site ignore lists that are cached. */
const COMPILED = limit('site_ignore_patterns', 1_000)

const compiled = boundedMap<string, LinearRegex>(COMPILED)
let compile: ((pattern: string) => LinearRegex) | undefined

/** The list of a token; one that was never saved has the harmless sites. */
export const siteIgnoresOf = ({ ignores, ignores_enabled }: TokenSettings): SiteIgnores => ({
  ignores: Array.isArray(ignores) ? ignores.filter((it) => typeof it === 'string') : HARMLESS,
  ignores_enabled: ignores_enabled !== false,
})

/** Loads what `isIgnoredSite` needs for this list. */
export async function prepareSiteIgnores(settings: TokenSettings): Promise<void> {
  const { ignores, ignores_enabled } = siteIgnoresOf(settings)
  if (ignores_enabled && ignores.length > 0) await loadEngine()
}

async function loadEngine(): Promise<(pattern: string) => LinearRegex> {
  compile ??= (await import('./linear-regex.ts')).compileRegex
  return compile
}

/** Whether an expression is found in the host or in the whole address. The list has been prepared. */
export function isIgnoredSite(settings: TokenSettings, href: string): boolean {
  const { ignores, ignores_enabled } = siteIgnoresOf(settings)
  if (!ignores_enabled || ignores.length === 0) return false
  const address = href.slice(0, MAX_ADDRESS_CHARACTERS)
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : ''
  return ignores.some((pattern) => {
    const regex = regexOf(pattern)
    return (host !== '' && regex.isFoundIn(host)) || regex.isFoundIn(address)
  })
}

function regexOf(pattern: string): LinearRegex {
  const known = compiled.get(pattern)
  if (known) return known
  if (!compile) throw new Error('The engine of regular expressions is not loaded.')
  const regex = compile(pattern)
  compiled.set(pattern, regex)
  return regex
}

/** The expressions of a list as a caller wrote it; a wrong one is a `bad-input` that names it. */
export async function readSiteIgnores(text: string): Promise<readonly string[]> {
  const patterns = splitPatterns(text)
  if (patterns.length > MAX_PATTERNS)
    throw refusal(`must be at most ${MAX_PATTERNS} regular expressions, not ${patterns.length}`)
  const classes = unicodeClassesIn(text)
  if (classes > MAX_UNICODE_CLASSES)
    throw refusal(
      `must have at most ${MAX_UNICODE_CLASSES} classes such as \\pL or \\p{Greek}, not ${classes}`,
    )
  const compileOne = await loadEngine()
  let size = 0
  for (const pattern of patterns) {
    size += sizeOf(pattern, compileOne)
    if (size > MAX_SIZE)
      throw refusal(`must be a shorter list: with ${shown(pattern)} it takes too long to match`)
  }
  return patterns
}

const unicodeClassesIn = (text: string): number =>
  (text.match(/\\[^]/g) ?? []).filter((escape) => /[pP]/.test(escape)).length

function sizeOf(pattern: string, compileOne: (pattern: string) => LinearRegex): number {
  try {
    return compileOne(pattern).size
  } catch (error) {
    throw refusal(
      `must be regular expressions in the syntax of RE2; ${shown(pattern)} is wrong: ${(error as Error).message}`,
    )
  }
}

const refusal = (reason: string): Fault => invalidParameter('ignores', reason)

const shown = (pattern: string): string => (pattern.length > 128 ? `${pattern.slice(0, 128)}…` : pattern)
