// What the Explorer puts in front of the token's host name: `<user>.<computer>.<domain>.ini`.

export const MARKER = 'ini'

/** As `desktop.ini` names them: the Explorer expands the variables of the environment. */
export const PAYLOAD = `%USERNAME%.%COMPUTERNAME%.%USERDOMAIN%.${MARKER}`
