// Where a token can be met: a host name, and a URL that looks like any other (scheme://domain/folders/token/page).
import type { Random } from '@rookery/kernel/world.ts'
import type { Placement } from '@rookery/tokens/token.ts'
import { ENDINGS, FOLDERS, PAGES } from './words.ts'

export interface Ground {
  /** Base address of token URLs, without a trailing slash. */
  readonly url: string
  /** The zone of token host names. */
  readonly domain: string
}

/** The same ground under another domain; scheme and port stay. */
export function underDomain(ground: Ground, domain: string): Ground {
  const url = new URL(ground.url)
  url.hostname = domain
  return { url: url.href.replace(/\/$/, ''), domain }
}

export function place(tokenId: string, { url, domain }: Ground, random: Random): Placement {
  const dice = Buffer.from(random.bytes(12))
  const pick = (words: readonly string[], die: number): string =>
    words[dice.readUInt16LE(die * 2) % words.length] ?? ''
  const folders = [0, 1, 2].slice(0, 1 + (dice.readUInt16LE(6) % 3)).map((die) => pick(FOLDERS, die))
  const page = pick(PAGES, 4) + pick(ENDINGS, 5)
  return {
    tokenId,
    url: [url, ...folders, tokenId, page].join('/'),
    hostname: `${tokenId}.${domain}`,
  }
}
