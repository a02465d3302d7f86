// 4.17, team chat and chat service: channels that a Flock's alerts are shown in.
import Type from 'typebox'
import { flag, flock_id, secret, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { Chatops } from '../records/webhooks.ts'

const url = secret(
  Type.String({ description: 'URL that the chat gives for a channel', maxLength: 2048 }),
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
  'Channels of team chats and chat services that show the alerts of a Flock. One of a chat service is added by ' +
    '`GET /oauth/chatops/start?flock_id=…` with the key of an admin, opened in a browser: it leads through the ' +
    'authorisation of the service. For that, register an app there with the scope `incoming-webhook` and the redirect ' +
    'URL `<public URL>/oauth/chatops/callback`, and set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET.',
  {
    addTeamchat: post('/flock/settings/webhooks/teamchat/add', 'admin', 'Add a team chat', One, Nothing, {
      settings,
      example: { params: { ...flock, url: 'https://teamchat.example.com/webhookb2/new' } },
    }),
    teamchat: get(
      '/flock/settings/webhooks/teamchat',
      'read-only',
      'List team chats',
      Flock,
      Type.Object({ teamchat_webhooks: Type.Array(text), webhooks_enabled: flag }),
      { example: { params: flock } },
    ),
    removeTeamchat: post(
      '/flock/settings/webhooks/teamchat/remove',
      'admin',
      'Remove a team chat',
      One,
      Nothing,
      { settings, example: { params: team } },
    ),
    testTeamchat: post(
      '/flock/settings/webhooks/teamchat/test',
      'admin',
      'Send a test alert to a team chat',
      One,
      Tested,
      { example: { params: team } },
    ),
    chatops: get(
      '/flock/settings/webhooks/chatops',
      'read-only',
      'List channels of chat services',
      Flock,
      Type.Object({ chatops_webhooks: Type.Array(Chatops), webhooks_enabled: flag }),
      { example: { params: flock } },
    ),
    removeChatops: post(
      '/flock/settings/webhooks/chatops/remove',
      'admin',
      'Remove a channel of a chat service',
      {
        flock_id,
        team: Type.String({ maxLength: 200 }),
        channel: Type.String({ description: 'Channel, as the list names it', maxLength: 200 }),
      },
      Nothing,
      { settings, example: { params: { ...flock, team: 'Blue team', channel: '#alerts' } } },
    ),
    testChatops: post(
      '/flock/settings/webhooks/chatops/test',
      'admin',
      'Send a test alert to a channel of a chat service',
      One,
      Tested,
      { example: { params: chat } },
    ),
  },
)
