// What a card issuer reports: one use, or several as `events`; an empty list is a heartbeat.
import { Fault } from '@rookery/kernel/fault.ts'
import { cardFields } from '../../card-use.ts'
import { isRecord, numberOf, textOf } from '../../provider-call.ts'
import type { ProviderEvent } from '../../provider.ts'

const DAY_MS = 86_400_000
/** Ids are known for thirty days: what is older may be a report that somebody sends again. */
const OLDEST_MS = 29 * DAY_MS

/** A `bad-input` names the field that is wrong; then nothing of the request is taken. */
export function readReport(body: Buffer, now: number): ProviderEvent[] {
  const report = parsed(body)
  const { events } = report
  if (events === undefined) return Object.keys(report).length === 0 ? [] : young([useOf(report, '')], now)
  if (!Array.isArray(events)) throw wrong('events', 'must be a list')
  return young(
    events.map((event, index) => useOf(event, `events[${index}].`)),
    now,
  )
}

const young = (uses: readonly ProviderEvent[], now: number): ProviderEvent[] =>
  uses.filter(({ at }) => now - at <= OLDEST_MS)

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const report: unknown = JSON.parse(body.toString('utf8'))
    if (isRecord(report)) return report
  } catch {
    // Refused below, as every other body that is no report.
  }
  throw new Fault('bad-input', 'The body is no report: it must be a JSON object.')
}

function useOf(event: unknown, where: string): ProviderEvent {
  const merchant = isRecord(event) ? event['merchant'] : undefined
  return {
    id: needed(event, 'id', where),
    remoteId: needed(event, 'card_id', where),
    at: timeOf(event, where),
    srcHost: '',
    eventName: textOf(event, 'event') || 'card_use',
    fields: cardFields({
      merchant: {
        name: textOf(merchant, 'name'),
        city: textOf(merchant, 'city'),
        country: textOf(merchant, 'country'),
        category: textOf(merchant, 'category'),
      },
      amount: textOf(event, 'amount') || String(numberOf(event, 'amount') ?? ''),
      currency: textOf(event, 'currency').toUpperCase(),
      last4: textOf(event, 'last4'),
      status: textOf(event, 'status'),
      reason: textOf(event, 'reason'),
    }),
  }
}

function needed(event: unknown, field: string, where: string): string {
  const text = textOf(event, field)
  if (text === '') throw wrong(`${where}${field}`, 'is missing: it must be a text')
  return text
}

/** Epoch seconds, or a time of ISO 8601. */
function timeOf(event: unknown, where: string): number {
  const seconds = numberOf(event, 'created')
  const at = seconds === undefined ? Date.parse(textOf(event, 'created')) : seconds * 1_000
  if (at >= 0 && at < 8.64e15) return Math.round(at)
  throw wrong(`${where}created`, 'must be epoch seconds or a time such as 2026-11-23T09:30:00Z')
}

const wrong = (field: string, reason: string): Fault =>
  new Fault('bad-input', `The report cannot be read: ${field} ${reason}.`)
