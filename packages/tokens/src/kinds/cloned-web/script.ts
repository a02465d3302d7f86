// The script: where the page's host is not a good one, it asks for a picture on the token host. An address by HTTPS is asked
// for by HTTPS from any page; one by HTTP as the page itself was.
import { createHash } from 'node:crypto'

/** Its variables differ by token, so that one pattern does not find all. A page from a file has no host. */
export function cloneScript(tokenId: string, url: string, domain: string): string {
  const [host = 'a', good = 'b'] = letters(tokenId)
  const target = quoted(url.replace(/^http:/, ''))
  return (
    `!function(){var ${host}=location.hostname.toLowerCase().replace(/\\.$/,''),${good}=${quoted(domain)};` +
    `${host}&&${host}!==${good}&&${host}.slice(-${good}.length-1)!=='.'+${good}&&` +
    `(new Image().src=${target}+'?l='+encodeURIComponent(location.href)+'&r='+encodeURIComponent(document.referrer))}()`
  )
}

/** A text of a script that stands in a page. */
const quoted = (text: string): string =>
  `'${text.replace(/[^\x20-\x7e]|['\\<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`

/** Distinct letters, the same for the same token. */
const letters = (tokenId: string): string[] => [
  ...new Set(
    Array.from(createHash('sha256').update(tokenId).digest(), (byte) =>
      String.fromCharCode(97 + (byte % 26)),
    ),
  ),
]
