// Mail to a list of addresses. What the server takes for some and puts off for others goes, next time, to the others.
import { letterOf } from './email-letter.ts'
import { failed, type Sender, type Sending, type Verdict } from './sender.ts'

/** Mail servers take their time: some hold their greeting back to see who waits. */
const PATIENCE = 3
/** The reply to what was taken (RFC 5321, 4.2.3). */
const TAKEN = 250
/** How many half-sent messages are known; of one that is forgotten, some get a second copy. */
const MOST_OPEN = 1_000

export const openEmailSender = ({ world, timeoutMs }: Sending): Sender => {
  /** Message → addresses that are still to be told. */
  const open = new Map<string, ReadonlySet<string>>()

  return async ({ url }, message, messageId) => {
    if (!world.mail) return failed('No mail server is configured: set ROOKERY_SMTP_URL.')
    const all = url.split(',')
    const rest = open.get(messageId)
    const to = rest ? all.filter((address) => rest.has(address)) : all
    // Whoever was still to be told has left the list.
    if (to.length === 0) return taken('')
    const { refused } = await world.mail.send({
      ...letterOf(message),
      to,
      id: messageId,
      timeoutMs: timeoutMs * PATIENCE,
    })
    open.delete(messageId)
    const later = refused.filter(({ isPermanent }) => !isPermanent)
    const [first] = later.length > 0 ? later : refused
    const reason = first
      ? `${refused.length} of ${to.length} addresses were not taken; ${first.address}: ${first.reason}`
      : ''
    if (later.length === 0) return taken(reason)
    const [oldest] = open.keys()
    if (oldest !== undefined && open.size >= MOST_OPEN) open.delete(oldest)
    open.set(messageId, new Set(later.map(({ address }) => address)))
    return failed(reason)
  }
}

const taken = (reason: string): Verdict => ({ passed: true, status: TAKEN, reason, gone: false, wishMs: 0 })
