// Replies in RESP2 and RESP3, as latin1 texts.

export type Protocol = 2 | 3

/** Longer replies become OOM; the real server drops clients whose output exceeds its limit. */
export const MAX_REPLY_BYTES = 8 * 1024 * 1024

export const OK = '+OK\r\n'
export const QUEUED = '+QUEUED\r\n'
export const OOM = "-OOM command not allowed when used memory > 'maxmemory'.\r\n"

export const status = (text: string): string => `+${text}\r\n`
/** `text` begins with its code (`ERR …`); line ends inside become spaces. */
export const error = (text: string): string => `-${text.replace(/[\r\n]/g, ' ')}\r\n`
export const integer = (n: number | bigint): string => `:${n}\r\n`
/** The line before the bytes of a bulk string. */
export const lengthOfBulk = (text: string): string => `$${text.length}\r\n`
export const bulk = (text: string): string => `${lengthOfBulk(text)}${text}\r\n`
export const nil = (resp: Protocol): string => (resp === 3 ? '_\r\n' : '$-1\r\n')
export const nilArray = (resp: Protocol): string => (resp === 3 ? '_\r\n' : '*-1\r\n')
export const bulkOrNil = (text: string | undefined, resp: Protocol): string =>
  text === undefined ? nil(resp) : bulk(text)
export const double = (text: string, resp: Protocol): string => (resp === 3 ? `,${text}\r\n` : bulk(text))
export const verbatim = (text: string, resp: Protocol): string =>
  resp === 3 ? `=${text.length + 4}\r\ntxt:${text}\r\n` : bulk(text)

/** `items` are encoded replies. */
export function array(items: readonly string[]): string {
  return aggregate('*', items.length, items)
}
export const bulks = (texts: readonly string[]): string => array(texts.map(bulk))
export const set = (items: readonly string[], resp: Protocol): string =>
  aggregate(resp === 3 ? '~' : '*', items.length, items)
/** `items` are encoded keys and values in turn. */
export const map = (items: readonly string[], resp: Protocol): string =>
  resp === 3 ? aggregate('%', items.length / 2, items) : array(items)
export const push = (items: readonly string[], resp: Protocol): string =>
  aggregate(resp === 3 ? '>' : '*', items.length, items)

function aggregate(sign: string, count: number, items: readonly string[]): string {
  let total = 0
  for (const item of items) if ((total += item.length) > MAX_REPLY_BYTES) return OOM
  return `${sign}${count}\r\n${items.join('')}`
}
