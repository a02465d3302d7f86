// Types of DNS records (RFC 1035, 3.2.2, and later ones), by the numbers that the IANA registry gives them.

export const TYPE = {
  A: 1,
  NS: 2,
  SOA: 6,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  OPT: 41,
  HTTPS: 65,
  ANY: 255,
} as const

const names = new Map<number, string>(Object.entries(TYPE).map(([name, type]) => [type, name]))

/** `A`, or `TYPE99` for a type without a name here (RFC 3597, 5). */
export const typeName = (type: number): string => names.get(type) ?? `TYPE${type}`

const FIRING = new Set<number>([TYPE.A, TYPE.AAAA, TYPE.HTTPS, TYPE.TXT, TYPE.MX, TYPE.SRV, TYPE.ANY])

/** Whether a client asks for this type; resolvers ask for others on their own, such as DS and NS. */
export const isAskedByClients = (type: number): boolean => FIRING.has(type)
