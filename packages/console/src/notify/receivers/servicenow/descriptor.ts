import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly close_acknowledged?: boolean | undefined
  readonly close_code?: string | undefined
}

const CODE = 'Solution provided'

export const descriptor = describeWebhook({
  kind: 'servicenow',
  title: 'ServiceNow',
  help: 'A record of the table incident for each incident, by the Table API, with an account that has the role itil. What becomes of the incident is said in its work notes, at most once an hour. More than 60 a minute become one record, the digest.',
  followsStates: true,
  parse({ url: given, user, password, close_acknowledged = false, close_code = CODE }: Given) {
    const url = parseReceiverUrl(given)
    const base = new URL(url.href)
    if (base.search !== '' || base.pathname.replace(/\/+$/, '') !== '')
      throw invalidParameter('url', 'must be the address of the instance alone, without a path')
    if (!/^[^:\p{Cc}]+$/u.test(user))
      throw invalidParameter('user', 'must be the name of an account, without a colon')
    if (password === '') throw invalidParameter('password', 'must not be empty')
    return {
      url: { ...url, given: base.origin, href: `${base.origin}/` },
      secret: password,
      settings: { user, closes: close_acknowledged ? 'yes' : 'no', close_code },
    }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    url,
    user: settings['user'] ?? '',
    close_acknowledged: settings['closes'] === 'yes',
    close_code: settings['close_code'] ?? CODE,
  }),
  info: { field: 'servicenow', holds: 'many' },
})
