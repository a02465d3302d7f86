// What counts as one source: an IPv6 customer has a whole /64.

/** An IPv4 address as it is; of an IPv6 address, in any spelling, the first four groups and `::/64`. */
export function sourceOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right] = address.split('::')
  const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const before = groupsOf(left)
  const after = groupsOf(right ?? '')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
