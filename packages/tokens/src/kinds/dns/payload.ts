// Data in front of a token's host name: `<base32>.….G<two digits>`. The digits keep caches from answering.
import type { VisitDetail } from '../../channel.ts'
import { base32Text } from '../../channels/dns/base32.ts'

/** Other data is another look-up: its first labels to come, and the one that follows. */
export function dataDetail(labels: readonly string[]): VisitDetail {
  const marker = labels.at(-1)
  if (marker === undefined) return [undefined]
  return isMarker(marker) ? [marker, labels.at(-2)] : []
}

const isMarker = (label: string | undefined): boolean => label !== undefined && /^g\d\d$/.test(label)

/** The data, once the name is whole; undefined for a name without data, or with a part of it. */
export function payloadOf(labels: readonly string[]): string | undefined {
  if (labels.length < 2 || !isMarker(labels.at(-1))) return undefined
  return base32Text(labels.slice(0, -1).join(''))
}
