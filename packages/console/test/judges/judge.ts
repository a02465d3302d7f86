// What plays a service that takes alerts.
import type { OutboundRequest } from '@rookery/kernel/world.ts'

export interface Verdict {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Judge = (request: OutboundRequest) => Verdict

export interface ServiceJudge {
  /** What `add` is given. */
  readonly given: Readonly<Record<string, string>>
  /** A service without a memory of what was sent before. */
  readonly open: () => Judge
  /** What a request says, as one text. */
  readonly saidIn?: (request: OutboundRequest) => string
  /** It refuses in its own words, which the log shows. */
  readonly refusal: Verdict
  readonly words: string
  /** Whether a minute of many alerts is folded into a digest. */
  readonly hasDigest: boolean
}

export type Fields = Readonly<Record<string, unknown>>

export const bytesOf = (text: string): number => Buffer.byteLength(text)
export const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most
export const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export const basicOf = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
