import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

export const descriptor = describeWebhook({
  kind: 'teamchat',
  parse: ({ url }: { readonly url: string }) => ({ url: parseReceiverUrl(url) }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  service: {
    name: 'Microsoft Teams',
    pattern: /^([^/]+\.webhook\.office\.com\/webhookb2\/|outlook\.office(365)?\.com\/webhook\/)/,
    how: 'add it by POST /flock/settings/webhooks/teamchat/add',
  },
  info: { field: 'teamchat', holds: 'many' },
})
