import { describeProvider } from '../../provider-descriptor.ts'

export const descriptor = describeProvider({
  provider: 'slack',
  name: 'Slack',
  options: {
    ROOKERY_SLACK_ADMIN_TOKEN: {
      type: 'text',
      title: 'User token of a Slack admin with the scope admin, which reads the access logs of the workspace',
      wants: 'text without blanks, such as xoxp-…',
      pattern: '[\\x21-\\x7e]+',
      secret: true,
    },
    ROOKERY_SLACK_URL: {
      type: 'url',
      title: 'Base address of the Slack API',
      wants: 'an http(s) URL',
      default: 'https://slack.com/api',
    },
  },
  takesFeed: false,
  pollMs: 60_000,
  heartbeat: 'poll',
})
