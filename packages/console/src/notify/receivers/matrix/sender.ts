import { byWord } from '@rookery/kernel/by-word.ts'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, postJson, resultOf, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { matrixContent } from './message.ts'

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url, secret }, message, messageId) => {
    const answer = await postJson(deps, {
      method: 'PUT',
      // The id of the message as the transaction's: sent again, it is the same event.
      url: `${url}/m.room.message/${encodeURIComponent(messageId)}`,
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(matrixContent(message)),
    })
    const said = answered(answer)
    const wait = said['retry_after_ms']
    const result = resultOf(answer, deps.world.clock.now(), explained(answer, said))
    const asked = typeof wait === 'number' && wait > 0 && wait < 1e9 ? Math.ceil(wait) : 0
    return { ...result, retryAfterMs: result.delivered ? 0 : result.retryAfterMs || asked }
  }

const ADVICE = byWord<string>({
  M_UNKNOWN_TOKEN: 'log the account in again, and add it with the new token',
  M_MISSING_TOKEN: 'log the account in again, and add it with the new token',
  M_FORBIDDEN: 'invite the account to the room, and let it write there',
  M_USER_DEACTIVATED: 'use another account',
  M_UNRECOGNIZED: 'check the url: there is no homeserver',
})

/** Its words, and what to do. */
function explained({ status }: OutboundAnswer, said: Readonly<Record<string, unknown>>): string {
  const code = typeof said['errcode'] === 'string' ? said['errcode'] : ''
  const words = typeof said['error'] === 'string' ? said['error'] : ''
  const what = ADVICE[code] ?? (status === 404 ? 'check the url: there is no homeserver' : '')
  const named = [code, words].filter((it) => it !== '').join(': ')
  return quoted([named, what].filter((it) => it !== '').join('; '), SAID)
}
