// ntpd of ntpsec 1.2.2 as Debian 12 ships it: what it says of itself.

export const VERSION = 'ntpd ntpsec-1.2.2'
export const STRATUM = 3
export const PRECISION = -24
/** log2 of the seconds between two questions to its own server, where they stay at last. */
export const POLL = 10

/** Status words (RFC 9327, 3): no leap, by NTP, one event, synchronised; configured, reached, the system peer. */
export const SYSTEM_STATUS = 0x0615
export const PEER_STATUS = 0xb61a

export const ERROR = { permission: 1, format: 2, opcode: 3, association: 4, variable: 5 } as const

/** By opcode, as ntpq calls them. */
export const COMMANDS: readonly string[] =
  'unspec readstat readvar writevar readclock writeclock settrap trap configure saveconfig mrulist ordlist nonce'.split(
    ' ',
  )
/** A key is needed. */
export const AUTHENTICATED: ReadonlySet<number> = new Set([3, 5, 8, 11])

/** Lists of clients, by which servers were made to attack others: MON_GETLIST and MON_GETLIST_1 of mode 7. */
export const MONLIST: ReadonlySet<number> = new Set([20, 42])

/** A line of an answer is no longer. */
export const LINE_WIDTH = 72
