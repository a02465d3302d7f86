// The chat service's side of an authorisation (OAuth 2.0, RFC 6749, 4.1): its page, and a code for an incoming webhook.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { sanitize } from '../../message/sanitize.ts'
import { quoted } from '../../message/facts.ts'
import type { ChatProvider } from '../../chat-app.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'
import type { Channel } from './descriptor.ts'

const TIMEOUT_MS = 10_000

/** Where the operator's browser is sent to choose a team and a channel. */
export function authorisePage({ url, clientId }: ChatProvider, redirectUri: string, state: string): string {
  const page = new URL(`${url}/oauth/v2/authorize`)
  page.search = new URLSearchParams({
    client_id: clientId,
    scope: 'incoming-webhook',
    redirect_uri: redirectUri,
    state,
  }).toString()
  return page.href
}

/** Exchanges the code; what the service does not grant, or says in another shape, is a `bad-input` with the reason. */
export async function exchangeCode(
  outbound: Outbound,
  { url, clientId, clientSecret }: ChatProvider,
  code: string,
  redirectUri: string,
): Promise<Channel> {
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: redirectUri,
  })
  const answer = await outbound
    .send({
      url: `${url}/api/oauth.v2.access`,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      timeoutMs: TIMEOUT_MS,
    })
    .catch((error: unknown) => {
      throw notGranted((error as Error).message)
    })
  if (answer.status !== 200) throw notGranted(`It answered ${answer.status}.`)
  return granted(answer.body)
}

function granted(body: string): Channel {
  const answer = readObject(body)
  if (answer?.['ok'] !== true) {
    const error = answer?.['error']
    throw notGranted(typeof error === 'string' ? `It said ${quoted(error)}.` : 'Its answer cannot be read.')
  }
  const webhook = asObject(answer['incoming_webhook'])
  const text = (from: Texts | undefined, name: string, maxLength: number): string => {
    const value = from?.[name]
    return typeof value === 'string' ? sanitize(value).slice(0, maxLength) : ''
  }
  const [team, channel] = [text(asObject(answer['team']), 'name', 200), text(webhook, 'channel', 200)]
  const [url, page] = [text(webhook, 'url', 2_048), text(webhook, 'configuration_url', 2_048)]
  if (team === '' || channel === '' || !isWeb(url)) throw notGranted('It named no team, channel or URL.')
  return { team, channel, url, configuration_url: isWeb(page) ? page : '' }
}

type Texts = Readonly<Record<string, unknown>>

const asObject = (value: unknown): Texts | undefined =>
  typeof value === 'object' && value !== null ? (value as Texts) : undefined

function readObject(body: string): Texts | undefined {
  try {
    return asObject(JSON.parse(body))
  } catch {
    return undefined
  }
}

function isWeb(url: string): boolean {
  try {
    return parseReceiverUrl(url).href !== ''
  } catch {
    return false
  }
}

export const notGranted = (reason: string): Fault =>
  new Fault('bad-input', `The chat service did not authorise the channel: ${reason}`, {
    details: { code: reason },
  })
