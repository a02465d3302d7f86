// A token of a Slack user, whose use the workspace's access logs show; or, without one, an incoming webhook of ours.
import type { HttpVisit } from '../../channels/http/visit.ts'
import { isRecord, textOf } from '../../provider-call.ts'
import { token } from '../../token.ts'
import { apiMethodOf, slackAnswer } from './answer.ts'
import { descriptor } from './descriptor.ts'
import { webhookUrl } from './webhook.ts'

export default token(descriptor, {
  needsProvider: ({ chatops_token }) => chatops_token !== undefined,
  isMetElsewhere: ({ chatops_token }) => chatops_token !== undefined,
  renders: (address, { chatops_token }, issued = {}) =>
    chatops_token === undefined
      ? { webhook_url: webhookUrl(address) }
      : { api_token: chatops_token, workspace: issued['workspace'] ?? '', user: issued['user'] ?? '' },
  on: {
    http: {
      describe(visit) {
        const [method, text] = [apiMethodOf(visit), messageOf(visit)]
        return {
          method: visit.method,
          ...(method !== '' && { event_name: method, api_method: method }),
          ...(text !== '' && { text }),
          useragent: visit.headers['User-Agent'] ?? '',
        }
      },
      answer: slackAnswer,
    },
  },
})

/** The text of a message, sent as JSON, or as a form with JSON in `payload`; empty for none. */
function messageOf({ body = '', headers }: HttpVisit): string {
  const isForm = headers['Content-Type']?.startsWith('application/x-www-form-urlencoded') ?? false
  const form = isForm ? new URLSearchParams(body) : undefined
  try {
    const message: unknown = JSON.parse(form?.get('payload') ?? body)
    return isRecord(message) ? textOf(message, 'text') : ''
  } catch {
    return form?.get('text') ?? ''
  }
}
