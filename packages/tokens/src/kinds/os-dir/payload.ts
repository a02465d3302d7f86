// What stands in front of the token's host name.

export const MARKER = 'ini'

/** Of a user: the Explorer expands the variables of the environment. */
export const PAYLOAD = `%USERNAME%.%COMPUTERNAME%.%USERDOMAIN%.${MARKER}`

/** Of what has no variables: a library. */
export const SERVER = 'files'
