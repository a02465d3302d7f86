// The bulk API answers 200 whatever became of the documents; each has a result of its own.
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, postJson, resultOf, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps } from '../../senders/sender.ts'
import { bulkCreate } from './message.ts'

interface Item {
  readonly status?: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/** It is there already: a try before this one arrived. */
const CONFLICT = 409

export const openSender =
  (deps: SenderDeps): Sender =>
  async ({ url, secret }, message, messageId) => {
    const answer = await postJson(deps, {
      url,
      headers: { authorization: `ApiKey ${secret}` },
      body: bulkCreate(message, messageId),
    })
    const item = itemOf(answer)
    // A document that was not taken is a try that failed with the status of the document.
    const status = item?.status === CONFLICT ? 201 : (item?.status ?? answer.status)
    const judged = { ...answer, status: answer.status >= 300 ? answer.status : status }
    if (judged.status < 300 && item === undefined)
      return {
        ...resultOf({ ...answer, status: 502 }, deps.world.clock.now(), NO_BULK),
        status: answer.status,
      }
    const { type, reason } = item?.error ?? (answered(answer)['error'] as Item['error']) ?? {}
    return resultOf(judged, deps.world.clock.now(), explained(judged.status, type, reason))
  }

const NO_BULK = 'there is no bulk API at this address; check the url'

const itemOf = (answer: OutboundAnswer): Item | undefined => {
  const { items } = answered(answer)
  return Array.isArray(items) ? ((items as { create?: Item }[])[0]?.create ?? {}) : undefined
}

/** Its words, and what to do. */
function explained(status: number, type = '', reason = ''): string {
  const words = quoted([type, reason].filter((it) => it !== '').join(': '), SAID)
  if (status === 401) return `${words || 'it does not know the API key'}; add it again with a new key`
  if (status === 403) return `${words || 'the API key may not'}; give the key create_doc on the data stream`
  if (status === 404) return `${words || 'there is nothing'}; check url and data_stream`
  return words
}
