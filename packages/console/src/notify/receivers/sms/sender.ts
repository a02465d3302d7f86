// SMS by the operator's gateway: one POST of `{"id", "to": ["+49…"], "text"}` to ROOKERY_SMS_URL.
import { postJson, resultOf } from '../../senders/http.ts'
import { notSent, type Sender, type SenderDeps } from '../../senders/sender.ts'
import { smsText } from './message.ts'

export const isConfigured = ({ config }: SenderDeps): boolean => config.ROOKERY_SMS_URL !== ''

export const refusal = ({ config, world }: SenderDeps): string | undefined =>
  world.outbound.refusal?.(config.ROOKERY_SMS_URL)

export const openSender = (deps: SenderDeps): Sender => {
  const gateway = readGateway(deps.config.ROOKERY_SMS_URL)
  return async ({ url }, message, messageId) => {
    if (!gateway) return notSent('No SMS gateway is configured: set ROOKERY_SMS_URL.')
    const answer = await postJson(deps, {
      ...gateway,
      body: JSON.stringify({ id: messageId, to: url.split(','), text: smsText(message) }),
    })
    // The gateway is every list's: a 410 is not the wish of one.
    return { ...resultOf(answer, deps.world.clock.now()), gone: false }
  }
}

/** Where to post, and the login of the URL as basic authentication (RFC 7617). */
function readGateway(text: string): { url: string; headers: Readonly<Record<string, string>> } | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '') return { url: url.href, headers: {} }
  const login = Buffer.from(`${unescaped(username)}:${unescaped(password)}`, 'utf8').toString('base64')
  return { url: url.href, headers: { authorization: `Basic ${login}` } }
}

/** A lone percent sign is no escape. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
