// SMS by the operator's gateway: one POST of `{"id", "to": ["+49…"], "text"}` to ROOKERY_SMS_URL.
import { cut } from '../message/facts.ts'
import type { Message } from '../message/message.ts'
import { oneLine } from './email-letter.ts'
import { judge, postJson } from './http.ts'
import { failed, type Sender, type Sending } from './sender.ts'

/** One SMS of the GSM alphabet (3GPP TS 23.038). */
const LENGTH = 160

export const openSmsSender = (sending: Sending): Sender => {
  const gateway = readGateway(sending.smsUrl)
  return async ({ url }, message, messageId) => {
    if (!gateway) return failed('No SMS gateway is configured: set ROOKERY_SMS_URL.')
    const answer = await postJson(sending, {
      ...gateway,
      body: JSON.stringify({ id: messageId, to: url.split(','), text: smsText(message) }),
    })
    // The gateway is every list's: a 410 is not the wish of one.
    return { ...judge(answer, sending.world.clock.now()), gone: false }
  }
}

/** Where to post, and the log-in of the URL as basic authentication (RFC 7617). */
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

/** Of a lone percent sign nobody meant an escape. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** One line: what, on what, from where. */
export function smsText(message: Message): string {
  const flock = message.flock.name === '' ? '' : ` (${cut(message.flock.name, 30)})`
  if (!('node' in message)) return fit(message.intro, flock)
  const { description, node, token, source } = message
  const where = token ? `: ${cut(token.memo, 60)}` : node.name === '' ? '' : ` on ${cut(node.name, 40)}`
  const from = source.address === '' ? '' : ` from ${source.address}`
  return fit(`${cut(description, 60)}${message.reduced ? '' : `${where}${from}`}`, flock)
}

const fit = (text: string, flock: string): string =>
  cut(oneLine(`Rookery: ${cut(oneLine(text), LENGTH - 9 - flock.length)}${flock}`), LENGTH)
