import { hostPortText } from '@rookery/console/addresses/host-port.ts'
import { parseReceiverHost } from '@rookery/console/notify/receiver-host.ts'
import { describeWebhook } from '@rookery/console/notify/receiver-kind.ts'

export const descriptor = describeWebhook({
  kind: 'some-name',
  title: 'some-name',
  help: 'TODO: what it is, what it needs, and what its vendor limits.',
  parse({ host, port }: { readonly host: string; readonly port: number }) {
    const name = parseReceiverHost(host)
    const at = hostPortText(name, port)
    const href = `tcp://${at}`
    return {
      url: { given: href, href, parameter: 'host', host: at },
      settings: { host: name, port: String(port) },
    }
  },
  view: ({ webhookId, settings }) => ({
    webhook_id: webhookId,
    host: settings['host'] ?? '',
    port: Number(settings['port']),
  }),
  info: { field: 'some_name', holds: 'many' },
})
