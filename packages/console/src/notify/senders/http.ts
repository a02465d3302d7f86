// One try over HTTP. Success is 2xx and nothing else.
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { VERSION } from '../../version.ts'
import { retryAfterMs } from './retry-after.ts'
import type { SenderDeps, SendResult } from './sender.ts'

const GONE = 410

export type JsonPost = Pick<OutboundRequest, 'url' | 'headers' | 'body'>

/** Posts JSON; a lost connection rejects with a sentence. */
export const postJson = (
  { world, timeoutMs }: SenderDeps,
  { url, headers, body }: JsonPost,
): Promise<OutboundAnswer> =>
  world.outbound.send({
    url,
    method: 'POST',
    timeoutMs,
    headers: { ...agentOf(headers), ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })

/** Our name, unless the receiver's own headers give another. */
const agentOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent')
    ? {}
    : { 'user-agent': `Rookery/${VERSION}` }

/** What an answer says of the try; `serverReason` is what the receiver itself gives as a reason, or empty. */
export function resultOf(answer: OutboundAnswer, now: number, serverReason = ''): SendResult {
  const { status } = answer
  const delivered = status >= 200 && status < 300
  return {
    delivered: delivered,
    status,
    gone: status === GONE,
    reason: delivered ? '' : reason(status, serverReason),
    retryAfterMs: delivered ? 0 : retryAfterMs(answer.headers['retry-after'], now),
  }
}

function reason(status: number, serverReason: string): string {
  if (serverReason !== '') return `It answered ${status}: ${serverReason}.`
  return status >= 300 && status < 400
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}; success is 200 to 299.`
}
