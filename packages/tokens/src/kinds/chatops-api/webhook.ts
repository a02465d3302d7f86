// The address of an incoming webhook, as Slack writes it: `/services/T…/B…/<key>`, with the token's id as the key.
import { createHash } from 'node:crypto'
import type { TokenAddress } from '../../token.ts'

const BASE36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ID_CHARACTERS = 10

/** The same id for a token each time. */
const idOf = (letter: string, tokenId: string): string => {
  const bytes = createHash('sha256').update(`${letter} ${tokenId}`).digest()
  const characters = Array.from(bytes.subarray(0, ID_CHARACTERS), (byte) => BASE36[byte % 36])
  return `${letter}0${characters.slice(1).join('')}`
}

export const webhookUrl = ({ url, tokenId }: TokenAddress): string =>
  `${new URL(url).origin}/services/${idOf('T', tokenId)}/${idOf('B', tokenId)}/${tokenId}`
