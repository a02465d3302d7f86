import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly endpoint: string
  readonly rule_id: string
  readonly stream: string
  readonly tenant: string
  readonly client_id: string
  readonly client_secret: string
}

const FORMS = {
  rule_id: [/^dcr-[0-9a-f]{32}$/, 'must be dcr- and 32 hexadecimal digits: the immutable id, not the name'],
  stream: [
    /^(?:Custom|Microsoft)-\w{1,100}$/,
    'must begin with Custom- or Microsoft-, such as Custom-Rookery_CL',
  ],
  tenant: [/^[0-9A-Za-z][0-9A-Za-z.-]{0,252}$/, 'must be the id of the tenant, or one of its domains'],
  client_id: [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'must be a UUID: the id of the application'],
  client_secret: [
    /^[\x21-\x7e]+$/,
    'must be the value of the secret, not its id: visible ASCII without spaces',
  ],
} as const

export const descriptor = describeWebhook({
  kind: 'sentinel',
  title: 'Microsoft Sentinel',
  help: 'A row of a table for each alert, by the logs ingestion API. It needs a data collection rule with a stream whose columns are those of the README, and an application with the role Monitoring Metrics Publisher on the rule.',
  isUnlimited: true,
  parse({ endpoint, ...given }: Given) {
    const url = inEndpoint(() => parseReceiverUrl(endpoint))
    const base = new URL(url.href)
    if (base.protocol !== 'https:') throw invalidParameter('endpoint', 'must begin with https://')
    if (base.search !== '' || base.pathname !== '/')
      throw invalidParameter('endpoint', 'must be without a path and a query; the console adds both')
    for (const [name, [form, says]] of Object.entries(FORMS))
      if (!form.test(given[name as keyof typeof FORMS])) throw invalidParameter(name, says)
    const { rule_id, stream, tenant, client_id, client_secret } = given
    base.pathname = `/dataCollectionRules/${rule_id}/streams/${stream}`
    base.searchParams.set('api-version', '2023-01-01')
    return {
      url: { ...url, parameter: 'endpoint', given: base.href, href: base.href },
      secret: client_secret,
      settings: { rule_id, stream, tenant, client_id },
    }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    endpoint: new URL(url).origin,
    rule_id: settings['rule_id'] ?? '',
    stream: settings['stream'] ?? '',
    tenant: settings['tenant'] ?? '',
    client_id: settings['client_id'] ?? '',
  }),
  info: { field: 'sentinel', holds: 'many' },
})

/** What is wrong with the URL is wrong with the endpoint. */
function inEndpoint<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    const { details = {} } = error as { details?: Readonly<Record<string, string>> }
    throw invalidParameter('endpoint', details['url'] ?? 'must be a URL')
  }
}
