import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'

interface Given {
  readonly routing_key: string
  readonly region?: Region | undefined
}

type Region = 'us' | 'eu'

const HOSTS: Readonly<Record<Region, string>> = {
  us: 'events.pagerduty.com',
  eu: 'events.eu.pagerduty.com',
}

export const descriptor = describeWebhook({
  kind: 'pagerduty',
  title: 'PagerDuty',
  help: 'An alert of a service of PagerDuty for each incident: add an integration of the type Events API v2 to the service, and give its integration key. What is acknowledged here is acknowledged there, what is deleted is resolved. At most 60 a minute; the rest of a minute becomes one digest.',
  followsStates: true,
  parse({ routing_key: key, region = 'us' }: Given) {
    if (!/^[0-9a-z]{32}$/i.test(key))
      throw invalidParameter('routing_key', 'must be the integration key: 32 letters and digits')
    const url = `https://${HOSTS[region]}/v2/enqueue`
    return {
      // Found again by its key; two services of one account have the same address.
      url: { given: url, href: `${url}#${key}`, parameter: 'routing_key', host: HOSTS[region] },
      secret: key,
      settings: { region },
    }
  },
  view: ({ webhookId, settings }) => ({ webhook_id: webhookId, region: settings['region'] as Region }),
  info: { field: 'pagerduty', holds: 'many' },
})
