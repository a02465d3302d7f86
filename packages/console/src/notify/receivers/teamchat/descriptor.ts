import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

export const descriptor = describeWebhook({
  kind: 'teamchat',
  parse: ({ url }: { readonly url: string }) => ({ url: parseReceiverUrl(url) }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  writes: 'teams',
  info: { field: 'teamchat', holds: 'many' },
})
