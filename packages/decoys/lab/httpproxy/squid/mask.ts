// Hides what differs between two machines with squid: dates, the host's name, and the lengths that it makes.
const HOSTS = /\bproxy-judge\b|\bsrv-[\da-f]{6}\b|\bvm-[\da-f]{6}\b|\bnode-[\da-f]{6}\b|\bhost-[\da-f]{6}\b/g

export const mask = (text: string): string =>
  text
    .replace(/^Date: .*\r\n/gm, 'Date: D\r\n')
    .replace(/(?<=<p>Generated ).*? GMT/g, 'D')
    .replace(HOSTS, 'HOST')
    .replace(/^Content-Length: .*\r\n/gm, 'Content-Length: N\r\n')
