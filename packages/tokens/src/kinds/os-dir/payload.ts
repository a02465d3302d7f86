// What the Explorer puts in front of the token's host name: `<user>.<computer>.<domain>.ini`.

export interface ExplorerUser {
  readonly user: string
  readonly computer: string
  readonly domain: string
}

const MARKER = 'ini'

/** As `desktop.ini` names them: the Explorer expands the variables of the environment. */
export const PAYLOAD = `%USERNAME%.%COMPUTERNAME%.%USERDOMAIN%.${MARKER}`

/** Once the name is whole; undefined for a part of it. The name of a user may have dots, the others have none. */
export function explorerUser(labels: readonly string[]): ExplorerUser | undefined {
  const [marker, domain, computer, ...user] = labels.toReversed()
  if (marker !== MARKER || domain === undefined || computer === undefined || user.length === 0)
    return undefined
  return { user: user.toReversed().join('.'), computer, domain }
}
