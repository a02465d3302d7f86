// Logs ingestion (Azure Monitor, 2023-01-01), with a token by client credentials (RFC 6749, 4.4), which is kept until it ends.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, postJson, resultOf, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps, Target } from '../../senders/sender.ts'
import { rowsOf } from './message.ts'

/** The clouds of their own, by the end of their ingestion endpoints: where tokens come from, and what they are for. */
const CLOUDS = [
  ['.azure.us', 'login.microsoftonline.us', 'monitor.azure.us'],
  ['.azure.cn', 'login.chinacloudapi.cn', 'monitor.azure.cn'],
  ['', 'login.microsoftonline.com', 'monitor.azure.com'],
] as const

interface Token {
  readonly value: string
  readonly until: number
}

/** Applications whose tokens are remembered. */
const TOKENS = limit('sentinel_tokens', 1_000)
/** It is asked for anew before it ends. */
const EARLY_MS = 300_000

export function openSender(deps: SenderDeps): Sender {
  const { world, timeoutMs } = deps
  const tokens = boundedMap<string, Token>(TOKENS)

  const keyOf = ({ secret, settings }: Target): string =>
    JSON.stringify([settings['tenant'], settings['client_id'], secret])

  /** The token, or the answer that refuses one. */
  async function tokenOf(to: Target): Promise<Token | OutboundAnswer> {
    const known = tokens.get(keyOf(to))
    const now = world.clock.now()
    if (known && known.until > now) return known
    const { hostname } = new URL(to.url)
    const [, login, resource] = CLOUDS.find(([end]) => hostname.endsWith(end)) ?? CLOUDS[2]
    const answer = await world.outbound.send({
      url: `https://${login}/${encodeURIComponent(to.settings['tenant'] ?? '')}/oauth2/v2.0/token`,
      method: 'POST',
      timeoutMs,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: to.settings['client_id'] ?? '',
        client_secret: to.secret,
        scope: `https://${resource}//.default`,
      }).toString(),
    })
    const { access_token: value, expires_in: seconds } = answered(answer)
    if (answer.status !== 200 || typeof value !== 'string') return answer
    const token = { value, until: now + Number(seconds) * 1_000 - EARLY_MS }
    tokens.set(keyOf(to), token)
    return token
  }

  return async (to, message, messageId) => {
    const token = await tokenOf(to)
    if (!('value' in token)) {
      const status = token.status >= 200 && token.status < 300 ? 502 : token.status
      const body = token.body.replaceAll(to.secret, '…')
      return resultOf({ ...token, status, body }, world.clock.now(), refusedToken({ ...token, body }))
    }
    const answer = await postJson(deps, {
      url: to.url,
      headers: { authorization: `Bearer ${token.value}` },
      body: rowsOf(message, messageId),
    })
    // Its rights may have changed: the next try begins with another token.
    if (answer.status === 401 || answer.status === 403) tokens.delete(keyOf(to))
    return resultOf(answer, world.clock.now(), explained(answer))
  }
}

function refusedToken(answer: OutboundAnswer): string {
  const { error_description: said } = answered(answer)
  if (typeof said !== 'string')
    return answer.status === 200 ? 'there is no token in the answer; check tenant' : ''
  return quoted(
    `no token: ${said.split('\r\n', 1)[0] ?? ''}; check tenant, client_id and client_secret`,
    SAID,
  )
}

/** Its words, and what to do. */
function explained(answer: OutboundAnswer): string {
  const error = answered(answer)['error'] as { code?: unknown; message?: unknown } | undefined
  const words = [error?.code, error?.message].filter((it) => typeof it === 'string' && it !== '').join(': ')
  const advice: Readonly<Record<number, string>> = {
    401: 'check tenant, client_id and client_secret',
    403: 'give the application the role Monitoring Metrics Publisher on the rule; that takes up to half an hour',
    404: 'check endpoint and rule_id, which is the immutable id',
  }
  const what = /stream/i.test(String(error?.code)) ? 'check stream' : advice[answer.status]
  return quoted([words, what].filter((it) => it !== undefined && it !== '').join('; '), SAID)
}
