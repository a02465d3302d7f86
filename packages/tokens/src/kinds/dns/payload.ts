// Data in front of a token's host name: `<base32>.….G<two digits>`. The digits keep caches from answering.
import { base32Text } from '../../channels/dns/base32.ts'

/** The data, once the name is whole; undefined for a name without data, or with a part of it. */
export function payloadOf(labels: readonly string[]): string | undefined {
  const marker = labels.at(-1)
  if (labels.length < 2 || marker === undefined || !/^g\d\d$/.test(marker)) return undefined
  return base32Text(labels.slice(0, -1).join(''))
}
