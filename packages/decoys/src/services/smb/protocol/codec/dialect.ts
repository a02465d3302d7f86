// The dialects of SMB2 ([MS-SMB2] 1.7), by their number on the wire.

export const DIALECT = { v202: 0x0202, v210: 0x0210, v300: 0x0300, v302: 0x0302, v311: 0x0311 } as const
export type Dialect = (typeof DIALECT)[keyof typeof DIALECT]

export const NEWEST_FIRST: readonly Dialect[] = [
  DIALECT.v311,
  DIALECT.v302,
  DIALECT.v300,
  DIALECT.v210,
  DIALECT.v202,
]
