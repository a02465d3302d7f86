// Of a line of an ignore list: its range, and how many addresses that has. Pure.

/** Without comment, logtypes and port. */
export const rangeOf = (line: string): string => {
  const [source = ''] = (line.split('#')[0] ?? '').trim().split(/[\s,]+/)
  const bracketed = /^\[([^\]]+)\]/.exec(source)
  return bracketed?.[1] ?? source.replace(/^([^:]*):\d+$/, '$1')
}

const grouped = new Intl.NumberFormat('en')

/** As text: of IPv6 it is a power of two. */
export function addressesOf(range: string): string {
  const [address = '', length] = range.split('/')
  const bits = (address.includes(':') ? 128 : 32) - Number(length ?? (address.includes(':') ? 128 : 32))
  return bits <= 32 ? grouped.format(2 ** bits) : `2^${bits}`
}
