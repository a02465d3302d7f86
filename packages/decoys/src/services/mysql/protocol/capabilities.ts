// Capability flags, as the protocol's documents number them.
export const CAPABILITY = {
  /** MariaDB leaves it out of its greeting: then the client names what it can of MariaDB's own. */
  mysql: 1,
  connectWithDatabase: 1 << 3,
  ssl: 1 << 11,
  protocol41: 1 << 9,
  secureConnection: 1 << 15,
  pluginAuth: 1 << 19,
  connectAttributes: 1 << 20,
  lengthEncodedResponse: 1 << 21,
} as const

export const has = (capabilities: number, flag: number): boolean => (capabilities & flag) !== 0
