/** Labels of letters, digits and hyphens, at most 63 each and `maxLength` in all (RFC 1035, 2.3.4). */
export const isDomainName = (name: string, maxLength = 253): boolean =>
  name.length <= maxLength && /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i.test(name)
