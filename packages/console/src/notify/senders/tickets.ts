// One ticket an incident: it is looked for before it is made, so that a message that is sent twice makes one. What becomes
// of the incident is said in it, at most once an hour.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { OutboundAnswer } from '@rookery/kernel/world.ts'
import type { Message } from '../message/message.ts'
import { postJson, resultOf, type JsonPost } from './http.ts'
import type { Sender, SenderDeps, SendResult, Target } from './sender.ts'

export interface Ticket {
  /** As its desk names it in addresses. */
  readonly key: string
  readonly isClosed: boolean
}

/** A desk of one receiver. `id` is of visible ASCII without quotes, the same for every message about an incident. */
export interface Desk {
  readonly find: (ask: Ask, id: string) => Promise<Ticket | undefined>
  readonly create: (ask: Ask, id: string, message: Message) => Promise<unknown>
  readonly comment: (ask: Ask, ticket: Ticket, text: string) => Promise<unknown>
  readonly close: (ask: Ask, ticket: Ticket, text: string) => Promise<unknown>
}

/** One request below the receiver's address; what is no success ends the try. */
export type Ask = (
  request: Pick<JsonPost, 'method'> & { readonly path: string; readonly body?: object },
) => Promise<OutboundAnswer>

interface Deal {
  readonly headersOf: (to: Target) => Readonly<Record<string, string>>
  readonly deskOf: (to: Target) => Desk
  /** What a refusal says, and what to do. */
  readonly explained: (answer: OutboundAnswer) => string
}

const HOUR = 3_600_000
/** Of a list with one ticket. */
const ANSWER = 65_536
/** Tickets of whose last comment the time is remembered. */
const COMMENTED = limit('commented_tickets', 1_000)

export function openTickets(deps: SenderDeps, { headersOf, deskOf, explained }: Deal): Sender {
  const commented = boundedMap<string, number>(COMMENTED)
  const now = deps.world.clock.now

  async function tell(to: Target, message: Message, messageId: string): Promise<SendResult> {
    const desk = deskOf(to)
    const ask: Ask = async ({ path, body, method = 'GET' }) => {
      const text = body === undefined ? {} : { body: JSON.stringify(body) }
      const request = { url: `${to.url}${path}`, headers: headersOf(to), method, mostBytes: ANSWER, ...text }
      const given = await postJson(deps, request)
      const answer = { ...given, body: given.body.replaceAll(to.secret, '…') }
      const result = resultOf(answer, now(), explained(answer))
      if (!result.delivered) throw new Refused(result)
      return answer
    }
    const hash = 'incident' in message ? message.incident.hash : ''
    const id = hash === '' ? messageId : hash
    const state = 'incident' in message ? message.state : undefined
    const ticket = await desk.find(ask, id)
    if (state === undefined) {
      if (!ticket) await desk.create(ask, id, message)
      return taken('')
    }
    if (!ticket) return taken('There is no ticket of this incident.')
    if (ticket.isClosed) return taken('Its ticket is closed already.')
    const text = `Rookery: the incident was ${state}.`
    const place = `${to.webhookId}/${id}`
    const isFirst = now() - (commented.get(place) ?? -HOUR) >= HOUR
    if (isFirst) await desk.comment(ask, ticket, text)
    if (isFirst) commented.set(place, now())
    if (to.settings['closes'] === 'yes') await desk.close(ask, ticket, text)
    return taken(isFirst ? '' : 'A ticket gets one comment an hour: it was not commented again.')
  }

  return async (to, message, messageId) => {
    try {
      return await tell(to, message, messageId)
    } catch (error) {
      if (error instanceof Refused) return error.result
      throw error
    }
  }
}

/** A try that ends, with what the desk answered. */
export class Refused extends Error {
  readonly result: SendResult
  constructor(result: SendResult) {
    super(result.reason)
    this.result = result
  }
}

const taken = (reason: string): SendResult => ({
  delivered: true,
  status: 200,
  reason,
  gone: false,
  retryAfterMs: 0,
})

/** As HTTP's Basic authentication has it. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
