// The host that a client names, as nginx checks it.

/** No blanks, controls, slashes or empty labels. What follows a colon is not looked at. */
export function isHostValid(host: string): boolean {
  if (/[\x00-\x20\x7f/]/.test(host)) return false
  return nameOfHost(host) !== '' && !/^(?:\[[^\]]*|[^:]*)\.\./.test(host)
}

/** Without port and final dot, in lower case. */
export function nameOfHost(host: string): string {
  const literal = /^\[[^\]]*\]/.exec(host)?.[0]
  if (literal !== undefined) return literal.toLowerCase()
  const name = host.startsWith('[') ? host : (host.split(':', 1)[0] ?? '')
  return name.replace(/\.$/, '').toLowerCase()
}
