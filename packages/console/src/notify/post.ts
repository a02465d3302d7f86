// One try: sign a message, send it, judge the answer. Success is 2xx and nothing else.
import type { World } from '@rookery/kernel/world.ts'
import { VERSION } from '../version.ts'
import type { Receiver } from './receiver.ts'
import { retryAfterMs } from './schedule.ts'
import { sign } from './sign.ts'

export interface Verdict {
  readonly passed: boolean
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Why it failed, in a sentence; empty when it passed. */
  readonly reason: string
  /** The receiver wants no message any more. */
  readonly gone: boolean
  /** How long the receiver wants to be left alone; 0 when it did not say. */
  readonly wishMs: number
}

export type Target = Pick<Receiver, 'url' | 'headers' | 'secret'>

const GONE = 410

export async function post(
  { clock, outbound }: Pick<World, 'clock' | 'outbound'>,
  { url, headers, secret }: Target,
  messageId: string,
  message: object,
  timeoutMs: number,
): Promise<Verdict> {
  const body = JSON.stringify(message)
  const timestamp = Math.floor(clock.now() / 1000)
  try {
    const answer = await outbound.send({
      url,
      method: 'POST',
      body,
      timeoutMs,
      headers: {
        'user-agent': `Rookery/${VERSION}`,
        ...headers,
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        ...(secret !== undefined && { 'webhook-signature': sign(secret, messageId, timestamp, body) }),
      },
    })
    const { status } = answer
    const passed = status >= 200 && status < 300
    return {
      passed,
      status,
      gone: status === GONE,
      reason: passed ? '' : said(status),
      wishMs: passed ? 0 : retryAfterMs(answer.headers['retry-after'], clock.now()),
    }
  } catch (error) {
    return {
      passed: false,
      status: 0,
      gone: false,
      wishMs: 0,
      reason: (error as Error).message.slice(0, 300),
    }
  }
}

const said = (status: number): string =>
  status >= 300 && status < 400
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}; success is 200 to 299.`
