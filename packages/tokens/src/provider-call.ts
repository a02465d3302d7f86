// Calls of a provider's API: JSON over the world's outbound, whose guard decides which addresses are reached.
import { Fault } from '@rookery/kernel/fault.ts'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import type { ProviderWorld } from './provider.ts'

export interface ProviderCall {
  readonly url: string
  readonly method: OutboundRequest['method']
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly text: string
  /** The body, where it is a JSON object; else empty. */
  readonly json: Readonly<Record<string, unknown>>
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 4 * 1024 * 1024
const RETRY_AFTER_S = 60
const MAX_REASON = 300

/** `name` is the provider's. A provider that is away, fails or wants fewer calls is `unavailable`. */
export async function callProvider(
  { outbound }: Pick<ProviderWorld, 'outbound'>,
  name: string,
  call: ProviderCall,
): Promise<ProviderAnswer> {
  const { status, headers, body } = await outbound
    .send({ headers: {}, ...call, timeoutMs: TIMEOUT_MS, mostBytes: MAX_BYTES })
    .catch((error: unknown) => {
      throw new Fault('unavailable', `${name} could not be reached: ${(error as Error).message}`, {
        cause: error,
        retryAfterS: RETRY_AFTER_S,
      })
    })
  if (status === 429 || status >= 500)
    throw new Fault(
      'unavailable',
      status === 429 ? `${name} wants fewer calls (429).` : `${name} answered ${status}.`,
      { retryAfterS: waitOf(headers['retry-after']) },
    )
  return { status, headers, text: body, json: objectOf(body) }
}

/** What a provider said, for a message to people: one line of bounded length. */
export const reasonText = (reason: unknown): string =>
  typeof reason === 'string' && reason !== ''
    ? reason.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_REASON)
    : 'without a reason'

function waitOf(retryAfter: string | undefined): number {
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : RETRY_AFTER_S
  return Math.max(1, seconds)
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** Whether a value out of JSON is an object whose fields can be read. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field, if it is a text; else empty. */
export function textOf(value: unknown, field: string): string {
  const text = isRecord(value) ? value[field] : undefined
  return typeof text === 'string' ? text : ''
}

/** The field, if it is a finite number; else undefined. */
export function numberOf(value: unknown, field: string): number | undefined {
  const number = isRecord(value) ? value[field] : undefined
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
