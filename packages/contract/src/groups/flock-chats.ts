// 4.17, team chat and chat service: channels that receive the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { Chatops } from '../records/webhooks.ts'

const url = secret(
  Type.String({ description: 'Webhook URL of the channel, from the chat service', maxLength: 2048 }),
  'but its host',
)
const Flock = { flock_id }
const One = { flock_id, url }
const Tested = Type.Object({ webhook: text })

const settings = 'flock'
const flock = { flock_id: 'flock:default' }
const team = { ...flock, url: 'https://teamchat.example.com/webhookb2/4f1d/IncomingWebhook/a1b2' }
const chat = { ...flock, url: 'https://chatops.example.com/services/T024BE7LD/B024BE7LE/x7Yz' }

export const flockChats = group(
  'Flock chats',
  'Channels of team chats and chat services that receive the alerts of a Flock. To add a channel of a chat service, ' +
    'register an app there with the scope `incoming-webhook` and the redirect URL `<public URL>/oauth/chatops/callback`, ' +
    'and set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET. Then open ' +
    '`GET /oauth/chatops/start?flock_id=…` in a browser, with the key of an admin, and authorise the app.',
  {
    addTeamchat: post('/flock/settings/webhooks/teamchat/add', 'admin', 'Add a team chat', One, Nothing, {
      settings,
      example: { ...flock, url: 'https://teamchat.example.com/webhookb2/new' },
    }),
    teamchat: get(
      '/flock/settings/webhooks/teamchat',
      'read-only',
      'List the team chats of a Flock',
      Flock,
      Type.Object({ teamchat_webhooks: Type.Array(text), webhooks_enabled: flag }),
      { example: flock },
    ),
    removeTeamchat: post(
      '/flock/settings/webhooks/teamchat/remove',
      'admin',
      'Remove a team chat',
      One,
      Nothing,
      { settings, example: team },
    ),
    testTeamchat: post(
      '/flock/settings/webhooks/teamchat/test',
      'admin',
      'Send a test alert to a team chat',
      One,
      Tested,
      { example: team },
    ),
    chatops: get(
      '/flock/settings/webhooks/chatops',
      'read-only',
      'List the chat-service channels of a Flock',
      Flock,
      Type.Object({ chatops_webhooks: Type.Array(Chatops), webhooks_enabled: flag }),
      { example: flock },
    ),
    removeChatops: post(
      '/flock/settings/webhooks/chatops/remove',
      'admin',
      'Remove a chat-service channel',
      {
        flock_id,
        team: Type.String({ maxLength: 200 }),
        channel: Type.String({ description: 'Channel, as it is listed', maxLength: 200 }),
      },
      Nothing,
      { settings, example: { ...flock, team: 'Blue team', channel: '#alerts' } },
    ),
    testChatops: post(
      '/flock/settings/webhooks/chatops/test',
      'admin',
      'Send a test alert to a chat-service channel',
      One,
      Tested,
      { example: chat },
    ),
  },
)
