// Where a token can be met: a host name, and a URL that looks like any other (scheme://domain/folders/token/page).
import type { Random } from '@rookery/kernel/world.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import type { Endpoint, TokenAddress } from '@rookery/tokens/token.ts'
import { hostPort } from '../../addresses/host-port.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { ENDINGS, FOLDERS, PAGES, PICTURE_ENDINGS } from './url-words.data.ts'

/** Where artefacts log in: `host:port`, or `:port` at the token's own host name; empty while the channel is switched off. */
export interface LoginEndpoints {
  readonly mysql: string
  readonly postgres: string
}

export interface TokenOrigin extends LoginEndpoints {
  /** Base address of token URLs, without a trailing slash. */
  readonly url: string
  /** The same by HTTPS, for the kinds that need it; undefined where the token host has no certificate that clients trust. */
  readonly httpsUrl: string | undefined
  /** The zone of token host names. */
  readonly domain: string
}

/** The origin of a kind: by HTTPS, if there is an address for that, where browsers or clients want it. */
export const originFor = (
  origin: TokenOrigin,
  { needsHttps }: Pick<TokenDescriptor, 'needsHttps'>,
): TokenOrigin => (needsHttps && origin.httpsUrl !== undefined ? { ...origin, url: origin.httpsUrl } : origin)

/** The same origin under another domain; scheme and port stay. */
export function withDomain(origin: TokenOrigin, domain: string): TokenOrigin {
  const url = new URL(origin.url)
  url.hostname = domain
  return { ...origin, url: url.href.replace(/\/$/, ''), domain }
}

/** One to three folders (one, where the URL must be short), the id, a page: each drawn at random. */
export function newAddress(
  tokenId: string,
  origin: TokenOrigin,
  random: Random,
  { showsPicture, needsShortUrl }: Pick<TokenDescriptor, 'showsPicture' | 'needsShortUrl'>,
): TokenAddress {
  const { url, domain } = origin
  const bytes = Buffer.from(random.bytes(12))
  const draw = (words: readonly string[], index: number): string =>
    words[bytes.readUInt16LE(index * 2) % words.length] ?? ''
  const count = needsShortUrl ? 1 : 1 + (bytes.readUInt16LE(6) % 3)
  const folders = [0, 1, 2].slice(0, count).map((index) => draw(FOLDERS, index))
  const page = draw(PAGES, 4) + draw(showsPicture ? PICTURE_ENDINGS : ENDINGS, 5)
  const hostname = `${tokenId}.${domain}`
  return {
    tokenId,
    url: [url, ...folders, tokenId, page].join('/'),
    hostname,
    ...endpointsAt(origin, hostname),
  }
}

/** The address that a token was created with. */
export const addressOf = (
  row: Pick<TokenRow, 'token_id' | 'url' | 'hostname' | 'mysql' | 'postgres'>,
): TokenAddress => ({
  tokenId: row.token_id,
  url: row.url,
  hostname: row.hostname,
  ...endpointsAt(row, row.hostname),
})

function endpointsAt(
  { mysql, postgres }: LoginEndpoints,
  hostname: string,
): Pick<TokenAddress, 'mysql' | 'postgres'> {
  const at = (text: string): Endpoint => {
    const { host, port } = hostPort(text)
    return { host: host === '' ? hostname : host, port }
  }
  return {
    ...(mysql !== '' && { mysql: at(mysql) }),
    ...(postgres !== '' && { postgres: at(postgres) }),
  }
}
