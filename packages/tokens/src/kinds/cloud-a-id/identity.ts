// The access key of a token, and the user of whom it seems to be: the same each time.
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'
import { SERVICE_USERS } from '../../pretexts/service-users.data.ts'

export interface Identity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Twelve digits. */
  readonly account: string
  readonly userName: string
  readonly userId: string
  readonly region: string
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const REGIONS = ['eu-central-1', 'eu-west-1', 'us-east-1', 'us-east-2', 'us-west-2'] as const

export function identityOf(derive: Derive): Identity {
  const draws = openDraws(derive, 'identity')
  const account = BigInt(`${draws.integer(1, 9)}${draws.text('0123456789', 11)}`)
  return {
    accessKeyId: `AKIA${keyIdOf(account, derive)}`,
    secretAccessKey: derive('secret', 30).toString('base64'),
    account: account.toString(),
    userName: draws.pick(SERVICE_USERS),
    userId: `AIDA${draws.text(BASE32, 16)}`,
    region: draws.pick(REGIONS),
  }
}

/** AWS's key ids name their account, and tools read it out of them: a set bit, 40 bits of the account, 39 random ones. */
function keyIdOf(account: bigint, derive: Derive): string {
  const random = BigInt(`0x${derive('key id', 5).toString('hex')}`) & ((1n << 39n) - 1n)
  const bits = (1n << 79n) | (account << 39n) | random
  return Array.from({ length: 16 }, (_, n) => BASE32[Number((bits >> BigInt(75 - n * 5)) & 31n)]).join('')
}
