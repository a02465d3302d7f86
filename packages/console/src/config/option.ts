// One option, and the forms that its value may have.
import { checkTimeZone } from '@rookery/kernel/time.ts'
import { covers, isWide, readRange, WIDEST } from '../addresses/address-set.ts'

/** What a value must be: for people, and as a check. */
interface Form {
  readonly wants: string
  readonly accepts: (value: string) => boolean
}

export interface Option extends Form {
  readonly flag: string
  readonly default: string
  /** What it is for, in one line. */
  readonly title: string
  /** Its value is never shown, and its flag names a file: arguments are shown to every user of the machine. */
  readonly secret: boolean
  /** The file of the secret may have several lines, as a PEM has. */
  readonly multiline: boolean
}

/** An option whose flag may be made of its name. */
export type NamedOption = Omit<Option, 'flag'> & Partial<Pick<Option, 'flag'>>

export const option = (
  fallback: string,
  title: string,
  { wants, accepts }: Form,
  more: Partial<Pick<Option, 'secret' | 'multiline' | 'flag'>> = {},
): NamedOption => ({ default: fallback, title, wants, accepts, secret: false, multiline: false, ...more })

/** Gives options without a flag that of their name: `ROOKERY_SLACK_URL` is `--slack-url`; a secret's flag names its file. */
export function withFlags<Name extends string>(
  options: Readonly<Record<Name, NamedOption>>,
): Readonly<Record<Name, Option>> {
  const entries = Object.entries<NamedOption>(options).map(([name, given]): [string, Option] => {
    const words = name.slice('ROOKERY_'.length).toLowerCase().replaceAll('_', '-')
    return [name, { flag: `--${words}${given.secret ? '-file' : ''}`, ...given }]
  })
  return Object.fromEntries(entries) as Record<Name, Option>
}

const isHostPort = (value: string): boolean => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(value)
  return match !== null && Number(match[3]) <= 65_535
}
export const hostPort = (example = '127.0.0.1:8080'): Form => ({
  wants: `host:port, such as ${example}`,
  accepts: isHostPort,
})
export const hostPortOrOff = (example: string): Form => ({
  wants: `host:port, such as ${example}, or off`,
  accepts: (value) => value === 'off' || isHostPort(value),
})
/** A host that stands in texts which other programs read: a name or an address. */
export const namedAt: Form = {
  wants: 'host:port, or :port at the host name of each token',
  accepts: (value) =>
    /^(?:\[[0-9a-fA-F:.]+\]|[a-zA-Z0-9.-]*):\d{1,5}$/.test(value) && isPort(Number(value.split(':').at(-1))),
}
const isPort = (port: number): boolean => port >= 1 && port <= 65_535
export const url = (wants: string, ...schemes: string[]): Form => ({
  wants,
  accepts: (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
})
/** Absolute. */
export const web = url('an http(s) URL', 'http:', 'https:')
export const https = url('an https URL', 'https:')
export const oneOf = (...choices: string[]): Form => ({
  wants: choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or '),
  accepts: (value) => choices.includes(value),
})
export const ranges: Form = {
  wants: 'CIDR ranges, separated by commas',
  accepts: (value) => value.split(',').every((entry) => readRange(entry.trim()) !== undefined),
}
/** Ranges of proxies, whose word on who their clients are is believed: 0.0.0.0/0 would believe everybody. */
export const proxies: Form = {
  wants: `CIDR ranges, none wider than /${WIDEST.v4} (IPv6: /${WIDEST.v6}, but fc00::/7), separated by commas`,
  accepts: (value) =>
    value.split(',').every((entry) => {
      const range = readRange(entry.trim())
      return range !== undefined && (!isWide(range) || covers(UNIQUE_LOCAL, range))
    }),
}
/** RFC 4193: nobody comes from there by the Internet. */
const UNIQUE_LOCAL = readRange('fc00::/7')!
export const hexDigits = (digits: number): Form => ({
  wants: `${digits} hex digits`,
  accepts: (value) => new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(value),
})
export const wholeNumber = (most: number): Form => ({
  wants: `a whole number from 1 to ${most}`,
  accepts: (value) => /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= most,
})
export const timeZone: Form = {
  wants: 'a name of the IANA tz database, such as Europe/Berlin',
  accepts(value) {
    try {
      checkTimeZone(value)
      return true
    } catch {
      return false
    }
  },
}
export const anything = (wants: string): Form => ({ wants, accepts: () => true })
