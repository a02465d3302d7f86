import { invalidParameter } from '@rookery/kernel/fault.ts'
import { describeWebhook } from '../../receiver-kind.ts'
import { parseReceiverUrl } from '../../receiver-url.ts'

interface Given {
  readonly url: string
  readonly api_key: string
  readonly data_stream?: string | undefined
}

/** What Elasticsearch takes as a name: https://www.elastic.co/guide, "Create data stream". */
const NAME = /^(?![-_+.])[^\\/*?"<>|,#:\s\p{Lu}]+$/u
const STREAM = 'logs-rookery.alert-default'

export const descriptor = describeWebhook({
  kind: 'elastic',
  title: 'Elasticsearch',
  help: 'A document of the Elastic Common Schema in a data stream for each alert, by the bulk API. Give it an API key of its own with the privilege create_doc on that data stream. An authority of your own stands in ROOKERY_OUTBOUND_CA.',
  isUnlimited: true,
  parse({ url: given, api_key, data_stream = STREAM }: Given) {
    const url = parseReceiverUrl(given)
    const base = new URL(url.href)
    if (base.search !== '') throw invalidParameter('url', 'must have no query')
    if (!NAME.test(data_stream) || Buffer.byteLength(data_stream) > 255)
      throw invalidParameter(
        'data_stream',
        'must be lower case, without \\ / * ? " < > | , # : and blanks, and not begin with - _ + or a dot',
      )
    if (!/^[\x21-\x7e]+$/.test(api_key))
      throw invalidParameter('api_key', 'must be the encoded API key: visible ASCII text without spaces')
    base.pathname = `${base.pathname.replace(/\/+$/, '')}/${encodeURIComponent(data_stream)}/_bulk`
    return {
      url: { ...url, given: base.href, href: base.href },
      // Elasticsearch shows a key encoded; id and secret with a colon between them are what it encodes.
      secret: api_key.includes(':') ? Buffer.from(api_key).toString('base64') : api_key,
      settings: { data_stream },
    }
  },
  view: ({ webhookId, url, settings }) => ({
    webhook_id: webhookId,
    url: url.replace(/\/[^/]*\/_bulk$/, ''),
    data_stream: settings['data_stream'] ?? STREAM,
  }),
  info: { field: 'elastic', holds: 'many' },
})
