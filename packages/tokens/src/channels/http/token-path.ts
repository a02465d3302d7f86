// Tokens that are the base address of a service: programs put paths of their own behind the token's id.
import type { TokenAddress } from '../../token.ts'
import type { HttpVisit } from './visit.ts'

/** The URL of the token up to its id, without a slash at its end. */
export function baseUrl({ url, tokenId }: Pick<TokenAddress, 'url' | 'tokenId'>): string {
  const end = url.lastIndexOf(`/${tokenId}`) + 1 + tokenId.length
  return url.slice(0, end)
}

/** The path behind the id, without its query: `/` for the base itself; the whole path where it is without the id. */
export function pathBehind({ path }: Pick<HttpVisit, 'path'>, tokenId: string | undefined): string {
  const [pathname = ''] = path.split('?')
  return pathname.slice(endOfId(pathname, tokenId)) || '/'
}

/** Where the id ends that stands behind a slash, however it is spelt; 0 where there is none. */
export function endOfId(pathname: string, tokenId: string | undefined): number {
  if (tokenId === undefined) return 0
  const at = pathname.indexOf(`/${tokenId}`)
  if (at >= 0) return at + 1 + tokenId.length
  const found = spellings(tokenId).exec(pathname)
  return found ? found.index + found[0].length : 0
}

/** In any case, and percent-encoded (RFC 3986, 6.2.2), since such a request is one for the token, too. */
const spellings = (tokenId: string): RegExp =>
  new RegExp(
    `/${tokenId.replace(/[a-z0-9]/g, (it) => `(?:${it}|${encoded(it)}|${encoded(it.toUpperCase())})`)}`,
    'i',
  )

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16)}`
