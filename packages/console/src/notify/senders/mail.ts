// Mail to a list of addresses. What the server takes for some and puts off for others goes, next time, to the others.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { letterOf } from '../message/letter.ts'
import { notSent, type Sender, type SenderDeps, type SendResult } from './sender.ts'

/** Mail servers take their time: some delay their greeting. */
const PATIENCE = 3
/** The reply to what was taken (RFC 5321, 4.2.3). */
const TAKEN = 250
/** Messages that some addresses have yet to get; of one that is forgotten, the others get a second copy. */
const PARTLY_SENT = limit('partly_sent_mails', 1_000)

export const isMailConfigured = ({ world }: SenderDeps): boolean => world.mail !== undefined

export const mailRefusal = ({ world }: SenderDeps): string | undefined => world.mail?.refusal?.()

export function openMailSender({ world, timeoutMs }: SenderDeps): Sender {
  const remaining = boundedMap<string, ReadonlySet<string>>(PARTLY_SENT)

  return async ({ url }, message, messageId) => {
    if (!world.mail) return notSent('No mail server is configured: set ROOKERY_SMTP_URL.')
    const all = url.split(',')
    const rest = remaining.get(messageId)
    const to = rest ? all.filter((address) => rest.has(address)) : all
    // The remaining addresses have left the list.
    if (to.length === 0) return taken('')
    const { refused } = await world.mail.send({
      ...letterOf(message),
      to,
      id: messageId,
      timeoutMs: timeoutMs * PATIENCE,
    })
    remaining.delete(messageId)
    const later = refused.filter(({ isPermanent }) => !isPermanent)
    const [first] = later.length > 0 ? later : refused
    const reason = first
      ? `${refused.length} of ${to.length} addresses were not taken; ${first.address}: ${first.reason}`
      : ''
    if (later.length === 0) return taken(reason)
    remaining.set(messageId, new Set(later.map(({ address }) => address)))
    return { ...notSent(reason), isPartial: true }
  }
}

const taken = (reason: string): SendResult => ({
  delivered: true,
  status: TAKEN,
  reason,
  gone: false,
  retryAfterMs: 0,
})
