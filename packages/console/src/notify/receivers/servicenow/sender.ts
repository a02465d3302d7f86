import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import { quoted } from '../../message/facts.ts'
import { answered, SAID } from '../../senders/http.ts'
import type { Sender, SenderDeps, Target } from '../../senders/sender.ts'
import { basic, openTickets, type Desk } from '../../senders/tickets.ts'
import { incidentRecord } from './message.ts'

export const openSender = (deps: SenderDeps): Sender =>
  openTickets(deps, {
    headersOf: ({ secret, settings }) => ({
      authorization: basic(settings['user'] ?? '', secret),
      accept: 'application/json',
    }),
    deskOf,
    explained,
  })

const TABLE = '/api/now/table/incident'
/** Of the states of an incident; above it is closed, or cancelled. */
const RESOLVED = 6

interface Row {
  readonly sys_id?: string
  readonly state?: string
}

function deskOf({ settings }: Target): Desk {
  const patch: (...of: Parameters<Desk['comment']>) => (body: object) => Promise<unknown> =
    (ask, { key }) =>
    (body) =>
      ask({ method: 'PATCH', path: `${TABLE}/${encodeURIComponent(key)}?sysparm_fields=sys_id`, body })
  return {
    async find(ask, id) {
      const query = new URLSearchParams({
        sysparm_query: `correlation_id=${id}^correlation_display=Rookery`,
        sysparm_fields: 'sys_id,state',
        sysparm_limit: '1',
      })
      const { result } = answered(await ask({ path: `${TABLE}?${query.toString()}` }))
      const [row] = Array.isArray(result) ? (result as Row[]) : []
      return row?.sys_id === undefined
        ? undefined
        : { key: row.sys_id, isClosed: Number(row.state) >= RESOLVED }
    },
    create: (ask, id, message) =>
      ask({
        method: 'POST',
        path: `${TABLE}?sysparm_fields=sys_id`,
        body: { ...incidentRecord(message), correlation_id: id, correlation_display: 'Rookery' },
      }),
    comment: (ask, ticket, text) => patch(ask, ticket, text)({ work_notes: text }),
    close: (ask, ticket, text) =>
      patch(
        ask,
        ticket,
        text,
      )({
        state: String(RESOLVED),
        close_code: settings['close_code'] ?? '',
        close_notes: text,
      }),
  }
}

/** Its words, and what to do. */
function explained(answer: OutboundAnswer): string {
  const error = answered(answer)['error'] as { message?: unknown; detail?: unknown } | undefined
  const words = [error?.message, error?.detail].filter((it) => typeof it === 'string' && it !== '').join(': ')
  if (answer.status === 401)
    return quoted(`${words || 'it does not know the account'}; check user and password`, SAID)
  if (/close_code|resolution code/i.test(words)) return quoted(`${words}; check close_code`, SAID)
  if (answer.status === 403) return quoted(`${words || 'the account may not'}; give it the role itil`, SAID)
  return quoted(words, SAID)
}
