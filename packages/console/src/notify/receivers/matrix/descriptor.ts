import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly url: string
  readonly token: string
  readonly room: string
}

export const descriptor = describeWebhook({
  kind: 'matrix',
  title: 'Matrix',
  help: 'A notice in a room for each alert, by the account whose access token it has: make an account of its own and invite it to the room, which must not be encrypted. More than 60 a minute become one digest. An authority of your own stands in ROOKERY_OUTBOUND_CA.',
  parse({ url: given, token, room }: Given) {
    const url = parseReceiverUrl(given)
    const base = new URL(url.href)
    if (base.search !== '') throw invalidParameter('url', 'must have no query')
    if (!/^[\x21-\x7e]+$/.test(token))
      throw invalidParameter('token', 'must be an access token: visible ASCII text without spaces')
    // Since room version 12 an id has no name of a server.
    if (!/^![^\s:/?#]+(:[^\s/?#]+)?$/.test(room))
      throw invalidParameter('room', 'must be the internal id of a room, which begins with !; no #name')
    base.pathname = base.pathname.replace(/\/+$/, '')
    const href = `${base.href.replace(/\/+$/, '')}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send`
    return { url: { ...url, given: href, href }, secret: token, settings: { room } }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    url: url.replace(/\/_matrix\/client\/.*$/, ''),
    room: settings['room'] ?? '',
  }),
  channelOf: ({ settings }) => settings['room'] ?? '',
  info: { field: 'matrix', holds: 'many' },
})
