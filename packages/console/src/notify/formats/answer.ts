// What a chat service's answer says of the try: many answer 200, and in the body that nobody will see the message.
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../message/facts.ts'
import { resultOf, SAID } from '../senders/http.ts'
import { notSent, type SendResult } from '../senders/sender.ts'

export function chatResult(answer: OutboundAnswer, now: number): SendResult {
  const { status, body } = answer
  // Teams: the channel's own answer.
  const [, inner] = /delivery failed with error:.*?HTTP error (\d{3})/is.exec(body) ?? []
  if (inner !== undefined)
    return {
      ...notSent(`Its channel answered ${inner}. It said: ${quoted(body, SAID)}`),
      status: Number(inner),
    }
  // Slack's errors are single words, such as `channel_is_archived`.
  const word = /^[a-z_]{1,60}$/.test(body) ? body : ''
  const result = resultOf(answer, now, word)
  const object = readObject(body)
  if (!result.delivered) return { ...result, retryAfterMs: result.retryAfterMs || retryAfterOf(object) }
  const said = errorIn(body, object)
  if (said === '') return result
  return { ...notSent(`It answered ${status}, but with an error: ${quoted(said, SAID)}`), status }
}

type Fields = Readonly<Record<string, unknown>>

/** The error in the body of a 200; empty where it is none. */
function errorIn(body: string, object: Fields | undefined): string {
  if (object)
    return object['ok'] === false || object['success'] === false || (object['error'] ?? false) !== false
      ? body
      : ''
  // A 200 that says `invalid_token`; a page for browsers, which is no answer of a webhook.
  return /^[a-z]+(_[a-z]+)+$|^\s*<(!doctype|html)\b/i.test(body) ? body : ''
}

/** Discord says in seconds how long it wants to be left alone, also where a proxy took the header away. */
function retryAfterOf(object: Fields | undefined): number {
  const seconds = object?.['retry_after']
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e6 ? Math.ceil(seconds * 1_000) : 0
}

function readObject(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined
  } catch {
    return undefined
  }
}
