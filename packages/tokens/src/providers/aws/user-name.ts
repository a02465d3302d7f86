// The user of a planted key: the same each time, so that it is found again where the answer of AWS was lost.
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'
import { SERVICE_USERS } from '../../pretexts/service-users.data.ts'

/** Its end keeps it apart from the users that the account has already. */
export function userNameOf(derive: Derive): string {
  const draws = openDraws(derive, 'user of aws')
  return `${draws.pick(SERVICE_USERS)}-${draws.text('0123456789abcdef', 6)}`
}
