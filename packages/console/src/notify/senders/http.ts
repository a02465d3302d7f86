// One try over HTTP. Success is 2xx and nothing else.
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { quoted } from '../message/facts.ts'
import { VERSION } from '../../version.ts'
import { retryAfterMs } from './retry-after.ts'
import type { SenderDeps, SendResult } from './sender.ts'

const GONE = 410

export type JsonPost = Pick<OutboundRequest, 'url' | 'headers' | 'body'> &
  Partial<Pick<OutboundRequest, 'method' | 'mostBytes'>>

/** Sends JSON, by POST unless it says another method; a lost connection rejects with a sentence. The answer's body does not repeat where and with what it was sent. */
export async function postJson(
  { world, timeoutMs }: SenderDeps,
  { url, headers, body, method = 'POST', mostBytes }: JsonPost,
): Promise<OutboundAnswer> {
  const answer = await world.outbound.send({
    url,
    method,
    timeoutMs,
    headers: { ...agentOf(headers), ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
    ...(mostBytes !== undefined && { mostBytes }),
  })
  return { ...answer, body: withoutSecrets(answer.body, url, headers) }
}

/** Shorter words hide nothing. */
const SECRET = 4

function withoutSecrets(text: string, url: string, headers: Readonly<Record<string, string>>): string {
  const { pathname, search } = new URL(url)
  const words = Object.values(headers).flatMap((value) => value.split(/\s+/))
  const secrets = [url, pathname + search, pathname, search, ...words].filter((it) => it.length >= SECRET)
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '…'), text)
}

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
    reason: delivered ? '' : reason(status, serverReason, quoted(answer.body, SAID)),
    retryAfterMs: delivered ? 0 : retryAfterMs(answer.headers['retry-after'], now),
  }
}

/** Characters of an answer that stand in the reason. */
export const SAID = 200

function reason(status: number, serverReason: string, body: string): string {
  if (serverReason !== '') return `It answered ${status}: ${serverReason}.`
  const said = body === '' ? '' : ` It said: ${body}`
  return status >= 300 && status < 400
    ? `It answered ${status}: redirects are not followed.${said}`
    : `It answered ${status}; success is 200 to 299.${said}`
}

/** The answer's body as an object; empty where it is none. */
export function answered({ body }: OutboundAnswer): Readonly<Record<string, unknown>> {
  try {
    const parsed = JSON.parse(body) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
