// Asterisk 20 with chan_pjsip and `alwaysauthreject`, as its sample configuration leaves it: texts and limits.

export const SERVER = 'Asterisk PBX 20.5.2'
export const REALM = 'asterisk'
/** Silence on a connection; pjsip sends a ping of its own before, which nobody waits for. */
export const IDLE_MS = 600_000
/** The longest answer by UDP. */
export const MAX_DATAGRAM = 1_472
/** Headers, and characters of each, that an event has. */
export const MAX_HEADERS = 64
export const MAX_VALUE = 2_048

export const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [481, 'Call/Transaction Does Not Exist'],
  [483, 'Too Many Hops'],
  [501, 'Not Implemented'],
])

/** Methods that a stranger is asked for a password of. */
export const CHALLENGED: ReadonlySet<string> = new Set(
  'OPTIONS REGISTER INVITE SUBSCRIBE NOTIFY PUBLISH REFER MESSAGE INFO PRACK UPDATE'.split(' '),
)
/** Of a dialog that is not there. */
export const WITHIN_DIALOG: ReadonlySet<string> = new Set(['BYE', 'CANCEL'])
