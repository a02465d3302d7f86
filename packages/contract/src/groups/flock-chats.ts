// 4.17, team chat and chat service: channels that receive the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, secret, text } from '../fields.ts'
import { group, post } from '../operation.ts'
import { Attention } from '../records/attention.ts'
import { Chatops } from '../records/webhooks.ts'
import { changeFlock, readFlock, theDefault } from '../switches.ts'

const url = secret(
  Type.String({ description: 'Webhook URL of the channel, from the chat service', maxLength: 2048 }),
  'but its host',
)
const One = { flock_id, url }
const Tested = Type.Object({ webhook: text })

const team = { ...theDefault, url: 'https://teamchat.example.com/webhookb2/4f1d/IncomingWebhook/a1b2' }
const chat = { ...theDefault, url: 'https://chatops.example.com/services/T024BE7LD/B024BE7LE/x7Yz' }

export const flockChats = group(
  'Flock chats',
  'Channels of team chats and chat services that receive the alerts of a Flock. To add a channel of a chat service, ' +
    'register an app there with the scope `incoming-webhook` and the redirect URL `<public URL>/oauth/chatops/callback`, ' +
    'and set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET. Then add the channel on the page of receivers: ' +
    'it opens the page of the chat service, where you authorise the app.',
  {
    addTeamchat: changeFlock(
      '/flock/settings/webhooks/teamchat/add',
      'Add a team chat',
      { ...One, ...Attention },
      {
        url: 'https://teamchat.example.com/webhookb2/new',
      },
    ),
    teamchat: readFlock(
      '/flock/settings/webhooks/teamchat',
      'List the team chats of a Flock',
      Type.Object({ teamchat_webhooks: Type.Array(text), webhooks_enabled: flag }),
    ),
    removeTeamchat: changeFlock('/flock/settings/webhooks/teamchat/remove', 'Remove a team chat', One, team),
    testTeamchat: post(
      '/flock/settings/webhooks/teamchat/test',
      'admin',
      'flock',
      'Send a test alert to a team chat',
      One,
      Tested,
      { example: team },
    ),
    authoriseChatops: post(
      '/flock/settings/webhooks/chatops/authorise',
      'admin',
      'flock',
      'Begin to add a chat-service channel: answers the page of the chat service to open in a browser',
      { flock_id, ...Attention },
      Type.Object({
        url: Type.String({ description: 'Page of the chat service; good for ten minutes, and once' }),
      }),
      { changes: false, example: theDefault },
    ),
    chatops: readFlock(
      '/flock/settings/webhooks/chatops',
      'List the chat-service channels of a Flock',
      Type.Object({ chatops_webhooks: Type.Array(Chatops), webhooks_enabled: flag }),
    ),
    removeChatops: changeFlock(
      '/flock/settings/webhooks/chatops/remove',
      'Remove a chat-service channel',
      {
        flock_id,
        team: Type.String({ maxLength: 200 }),
        channel: Type.String({ description: 'Channel, as it is listed', maxLength: 200 }),
      },
      { team: 'Blue team', channel: '#alerts' },
    ),
    testChatops: post(
      '/flock/settings/webhooks/chatops/test',
      'admin',
      'flock',
      'Send a test alert to a chat-service channel',
      One,
      Tested,
      { example: chat },
    ),
  },
)
