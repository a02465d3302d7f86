import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

export const descriptor = describeWebhook({
  kind: 'teamchat',
  title: 'Team chat',
  help: 'A card in a channel of Microsoft Teams: a workflow of the channel gives the URL. A card has at most 28 KB; what finds no room is counted in it.',
  parse: ({ url }: { readonly url: string }) => ({ url: parseReceiverUrl(url) }),
  view: ({ url, host }, isAdmin) => (isAdmin ? url : host),
  writes: 'teams',
  info: { field: 'teamchat', holds: 'many' },
})
