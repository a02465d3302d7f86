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
  const at = tokenId === undefined ? -1 : pathname.indexOf(`/${tokenId}`)
  return (at < 0 ? pathname : pathname.slice(at + 1 + (tokenId ?? '').length)) || '/'
}
