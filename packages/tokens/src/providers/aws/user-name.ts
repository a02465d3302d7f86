// The user of a planted key: the same each time, so that it is found again where the answer of AWS was lost.
import type { Derive } from '../../derive.ts'
import { openDraws } from '../../draws.ts'

const NAMES = [
  'backup',
  'ci-deploy',
  'db-backup',
  'terraform',
  'jenkins',
  'svc-reports',
  's3-sync',
  'ops-admin',
] as const

/** Its end keeps it apart from the users that the account has already. */
export function userNameOf(derive: Derive): string {
  const draws = openDraws(derive, 'user of aws')
  return `${draws.pick(NAMES)}-${draws.text('0123456789abcdef', 6)}`
}
