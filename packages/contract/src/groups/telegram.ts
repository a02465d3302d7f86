// Extension: chats of Telegram that get the alerts of a Flock.
import Type from 'typebox'
import { secret } from '../fields.ts'
import { group } from '../operation.ts'
import { Telegram } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const telegram = group(
  'Telegram',
  'Chats of Telegram into which a bot writes the alerts of a Flock.',
  receiversById({
    kind: 'telegram',
    one: 'a chat of Telegram',
    many: 'the chats of Telegram',
    params: {
      token: secret(
        Type.String({
          description:
            'Token of the bot, as BotFather gives it, such as 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
          maxLength: 128,
        }),
      ),
      chat: Type.String({
        description:
          'Id of the chat, such as -1001234567890, or @name of a public channel; the bot is a member of it',
        maxLength: 64,
      }),
    },
    answer: Type.Object({ telegram: Type.Array(Telegram, { description: 'The chats, by age' }) }),
    example: { token: '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx', chat: '-1001234567890' },
  }),
)
