import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'chatops-api',
  name: 'Slack API token',
  shelf: 'Accounts and keys',
  keywords: ['slack', 'chat', 'chatops', 'webhook', 'bot', 'api token', 'xoxp', 'secret'],
  firedBy:
    'Somebody uses the planted token with Slack, or sends a message to the planted webhook. Each program that speaks to Slack does.',
  silencedBy:
    'A token is seen in the access logs of a workspace with a paid plan alone, and some minutes later. A webhook stays silent where its host cannot be reached.',
  placement: [
    'Leave it as slack.env or .env in the home folder of a server or in a repository of scripts.',
    'Store it among the variables of a pipeline, next to those that are in use.',
    'Paste it into a wiki page on how alerts reach the team.',
  ],
  logtype: '17020',
  keys: [
    'method',
    'api_method',
    'text',
    'useragent',
    'username',
    'count',
    'date_first',
    'isp',
    'country',
    'delay_s',
  ],
  evidence: ['api_method', 'text', 'username', 'isp', 'country', 'useragent'],
  meaning:
    'Somebody used the token or the webhook that the memo names. They read the file or the page in which it was planted.',
  next: [
    'Treat the place of the token as read by an intruder, and look at who read it there.',
    'Change every real key and password that lies in the same place.',
    'Look for the source address in the access logs of your workspace.',
  ],
  downloads: true,
  needsHttps: true,
  provider: { name: 'slack', fixed: ['chatops_token'] },
  example: {
    touch: 'curl -s -o /dev/null --json \'{"text":"backup failed"}\' "$(field renders.webhook_url)"',
  },
  settings: {
    chatops_token: {
      type: 'text',
      description: 'Token of a Slack user who does nothing else; without it a webhook is planted',
      maxLength: 256,
      characters: 'A-Za-z0-9._-',
      sealed: true,
    },
  },
})
