import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'

interface Given {
  readonly token: string
  readonly chat: string
}

const HOST = 'api.telegram.org'

export const descriptor = describeWebhook({
  kind: 'telegram',
  title: 'Telegram',
  help: 'A message of a bot for each alert: make a bot with BotFather, add it to the chat, and give its token and the id of the chat. Telegram takes about 20 messages a minute for a group; what exceeds that waits as long as it asks, and more than 60 a minute become one digest.',
  parse({ token, chat }: Given) {
    if (!/^\d{1,20}:[\w-]{30,80}$/.test(token))
      throw invalidParameter('token', 'must be the token of a bot: its id, a colon, and 35 characters')
    if (!/^(-?\d{1,20}|@\w{4,32})$/.test(chat))
      throw invalidParameter('chat', 'must be the number of a chat, or @ and the name of a public channel')
    const given = `https://${HOST}/`
    return {
      // Found again by both; a bot may write into several chats.
      url: { given, href: `${given}#${token}/${chat}`, parameter: 'chat', host: HOST },
      secret: token,
      settings: { chat },
    }
  },
  view: ({ webhookId, settings }) => ({ webhook_id: webhookId, chat: settings['chat'] ?? '' }),
  channelOf: ({ settings }) => settings['chat'] ?? '',
  info: { field: 'telegram', holds: 'many' },
})
