import { describeWebhook } from '@rookery/console/notify/receiver-kind.ts'
import { parseReceiverUrl } from '@rookery/console/notify/receiver-url.ts'

export const descriptor = describeWebhook({
  kind: 'some-name',
  parse: ({ url }: { readonly url: string }) => ({ url: parseReceiverUrl(url) }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  info: { field: 'some_name_webhooks', holds: 'many' },
})
