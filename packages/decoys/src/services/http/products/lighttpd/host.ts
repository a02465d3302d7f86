// The host that a client names, as lighttpd checks it (host-strict, host-normalize).
import { isIPv6 } from 'node:net'

const HOST = /^(?:\[([\da-f:.]+)\]|([a-z\d.-]+))(?::(\d*))?$/i
/** Labels begin with a letter or a digit. A last label of digits makes it an address, of four numbers. */
export function isHostValid(host: string): boolean {
  const match = HOST.exec(host)
  if (!match) return false
  const [, literal, name = '', port = ''] = match
  if (port !== '' && !isPort(port)) return false
  if (literal !== undefined) return isIPv6(literal)
  const labels = name.replace(/\.$/, '').split('.')
  if (labels.some((label) => !/^[a-z\d]/i.test(label))) return false
  if (!/^\d+$/.test(labels.at(-1)!)) return true
  return labels.length === 4 && labels.every((label) => /^\d+$/.test(label))
}

const isPort = (digits: string): boolean => /^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= 65_535

/** Host names are compared without regard to case. */
export const isSameHost = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
