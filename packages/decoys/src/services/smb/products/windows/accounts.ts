// The local accounts of the machine: those of every Windows, and a few of its own.

export interface Account {
  readonly name: string
  readonly rid: number
  /** SID_NAME_USE ([MS-LSAT] 2.2.13): 1 user, 2 group. */
  readonly use: 1 | 2
}

const BUILT_IN: readonly Account[] = [
  { name: 'Administrator', rid: 500, use: 1 },
  { name: 'Guest', rid: 501, use: 1 },
  { name: 'DefaultAccount', rid: 503, use: 1 },
  { name: 'WDAGUtilityAccount', rid: 504, use: 1 },
  { name: 'None', rid: 513, use: 2 },
]

/** `users`: the login names of its own users. */
export const accountsOf = (users: readonly string[]): readonly Account[] => [
  ...BUILT_IN,
  ...users.map((name, i): Account => ({ name, rid: 1_001 + i, use: 1 })),
]

export const GUEST = 'Guest'

/** The account of that name, whatever its case. */
export const findAccount = (accounts: readonly Account[], name: string): Account | undefined =>
  accounts.find((account) => account.name.toLowerCase() === name.toLowerCase())
