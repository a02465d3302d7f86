// One option, and the checks that say whether a text is a value of it.
import { checkTimeZone } from '@rookery/kernel/time.ts'
import { isWide, readRange, WIDEST } from './net/address-set.ts'

export interface Option {
  readonly flag: string
  readonly default: string
  /** What it is for, in one line. */
  readonly title: string
  readonly wants: string
  readonly accepts: (value: string) => boolean
  /** Its value is never shown, and its flag names a file: arguments are shown to every user of the machine. */
  readonly secret?: boolean
}

export const option = (
  flag: string,
  fallback: string,
  title: string,
  wants: string,
  accepts: Option['accepts'],
  secret = false,
): Option => ({
  flag,
  default: fallback,
  title,
  wants,
  accepts,
  secret,
})

export const listen = (value: string): boolean => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(value)
  return match !== null && Number(match[3]) <= 65_535
}
export const listenOrOff = (value: string): boolean => value === 'off' || listen(value)
/** A host that stands in texts which other programs read: a name or an address. */
export const named = (value: string): boolean =>
  /^(?:\[[0-9a-fA-F:.]+\]|[a-zA-Z0-9.-]*):\d{1,5}$/.test(value) && isPort(Number(value.split(':').at(-1)))
const isPort = (port: number): boolean => port >= 1 && port <= 65_535
export const url =
  (...schemes: string[]) =>
  (value: string): boolean =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol)
export const oneOf =
  (...choices: string[]) =>
  (value: string): boolean =>
    choices.includes(value)
export const ranges = (value: string): boolean =>
  value.split(',').every((entry) => readRange(entry.trim()) !== undefined)
/** Ranges of proxies, whose word on who their clients are is believed: 0.0.0.0/0 would believe everybody. */
export const proxies = (value: string): boolean =>
  value.split(',').every((entry) => {
    const range = readRange(entry.trim())
    return range !== undefined && !isWide(range)
  })
export const proxyRanges = `CIDR ranges, none wider than /${WIDEST.v4} (IPv6: /${WIDEST.v6}), separated by commas`
export const hexDigits =
  (digits: number) =>
  (value: string): boolean =>
    new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(value)
/** From 1 on. */
export const wholeNumber =
  (most: number) =>
  (value: string): boolean =>
    /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= most
export const isTimeZone = (value: string): boolean => {
  try {
    checkTimeZone(value)
    return true
  } catch {
    return false
  }
}
export const anything = (): boolean => true

export const address = 'host:port, such as 127.0.0.1:8080'
/** Absolute. */
export const web = url('http:', 'https:')
