// One try over HTTP. Success is 2xx and nothing else.
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { VERSION } from '../../version.ts'
import { retryAfterMs } from '../schedule.ts'
import type { Sending, Verdict } from './sender.ts'

const GONE = 410

export type JsonPost = Pick<OutboundRequest, 'url' | 'headers' | 'body'>

/** Posts JSON; a lost connection rejects with a sentence. */
export const postJson = (
  { world, timeoutMs }: Sending,
  { url, headers, body }: JsonPost,
): Promise<OutboundAnswer> =>
  world.outbound.send({
    url,
    method: 'POST',
    timeoutMs,
    headers: { 'user-agent': `Rookery/${VERSION}`, ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })

/** Judges an answer; `said` is what the receiver itself gives as a reason, if it is known to give one. */
export function judge(answer: OutboundAnswer, now: number, said = ''): Verdict {
  const { status } = answer
  const passed = status >= 200 && status < 300
  return {
    passed,
    status,
    gone: status === GONE,
    reason: passed ? '' : reason(status, said),
    wishMs: passed ? 0 : retryAfterMs(answer.headers['retry-after'], now),
  }
}

function reason(status: number, said: string): string {
  if (said !== '') return `It answered ${status}: ${said}.`
  return status >= 300 && status < 400
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}; success is 200 to 299.`
}
