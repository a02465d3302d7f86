import { describeWebhook } from '@rookery/console/notify/receiver-kind.ts'
import { parseReceiverUrl } from '@rookery/console/notify/receiver-url.ts'

export const descriptor = describeWebhook({
  kind: 'some-name',
  title: 'some-name',
  help: 'TODO: what it is, what it needs, and what its vendor limits.',
  parse: ({ url }: { readonly url: string }) => ({ url: parseReceiverUrl(url) }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  info: { field: 'some_name_webhooks', holds: 'many' },
})
