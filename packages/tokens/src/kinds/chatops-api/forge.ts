import { forge, textFile } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { webhookUrl } from './webhook.ts'

export default forge(descriptor, {
  file({ address, settings: { chatops_token }, issued }) {
    const lines =
      chatops_token === undefined
        ? ['# Alerts of the nightly jobs', `SLACK_WEBHOOK_URL=${webhookUrl(address)}`]
        : [
            `# Bot account ${issued['user'] ?? ''}, ${issued['workspace'] ?? ''}: posts and reads channels`,
            `SLACK_API_TOKEN=${chatops_token}`,
          ]
    return textFile('slack.env', lines)
  },
})
