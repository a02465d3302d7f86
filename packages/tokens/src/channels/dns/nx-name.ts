// A name of a token that does not exist, so that no connection follows its look-up.
import type { TokenAddress } from '../../token.ts'

/** `<label>.<token id>.nx.<zone>` */
export const nxName = ({ tokenId, hostname }: TokenAddress, label: string): string =>
  `${label}.${tokenId}.nx.${hostname.slice(tokenId.length + 1)}`
