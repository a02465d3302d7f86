// A list of accounts, as administrators keep one against the rules. All of them are made up.
import type { Draws } from '../draws.ts'
import { PEOPLE, SITES, SYSTEMS } from './people.data.ts'

export interface AccountList {
  readonly title: string
  readonly author: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const TITLES = ['Accounts', 'Passwords', 'Service accounts', 'Server list', 'Access list'] as const
const COMMENTS = [
  '',
  '',
  '',
  'change after handover',
  'do not lock',
  'expires in March',
  'read only',
  'shared',
] as const
const USERS = ['admin', 'administrator', 'backup', 'root', 'service', 'sa', 'support', 'monitor'] as const
const PASSWORD = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789!$%#'

export function accountList(draws: Draws): AccountList {
  const network = `10.${draws.integer(10, 240)}`
  const row = (): string[] => [
    draws.pick(SYSTEMS),
    draws.pick(SITES),
    `${network}.${draws.integer(0, 250)}.${draws.integer(2, 250)}`,
    draws.pick(USERS),
    draws.text(PASSWORD, draws.integer(9, 15)),
    draws.pick(PEOPLE),
    draws.pick(COMMENTS),
  ]
  return {
    title: draws.pick(TITLES),
    author: draws.pick(PEOPLE),
    header: ['System', 'Site', 'Address', 'User', 'Password', 'Owner', 'Comment'],
    rows: Array.from({ length: draws.integer(12, 40) }, row),
  }
}
