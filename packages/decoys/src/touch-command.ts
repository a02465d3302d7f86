// The command that touches a decoy, of its descriptor's example. Loads in a browser.

/** With an IPv6 address in brackets where a URL has it. */
export const touchCommand = (example: string, host: string, port: number): string =>
  example
    .replaceAll('://{host}', `://${host.includes(':') ? `[${host}]` : host}`)
    .replaceAll('{host}', host)
    .replaceAll('{port}', String(port))
