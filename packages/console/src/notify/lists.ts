// Lists of addresses and numbers: while one is enabled, it is a receiver of its Flock (or of all Flocks) like any other.
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Base } from '../base.ts'
import type { Query, Tx } from '../db/query.ts'
import { endWaiting } from '../stores/deliveries/store.ts'
import { putList, readLists, type NotificationList } from '../stores/notifications/store.ts'
import type { ListName } from '../stores/notifications/tables.ts'
import { findReceiverByUrl, putReceiver, removeReceiver, type ReceiverRow } from '../stores/webhooks/store.ts'
import type { ReceiverKind } from '../stores/webhooks/tables.ts'
import { mailAddress } from '../net/smtp-url.ts'
import { sealReceiver } from './receiver.ts'

/** What the operator configured. */
export interface Providers {
  readonly sms: boolean
}

/** What showing and changing lists takes. */
export type Listing = Pick<Base, 'reader' | 'vault' | 'world'> & { readonly providers: Providers }

interface Kind {
  readonly kind: ReceiverKind
  readonly parameter: 'addresses' | 'numbers'
  readonly most: number
  /** The one spelling in which a recipient is kept; undefined for what is none. */
  readonly read: (text: string) => string | undefined
  readonly wants: string
  /** What must be set before the list can be enabled. */
  readonly provider: string
}

const EMAIL = {
  parameter: 'addresses',
  most: 50,
  read: mailAddress,
  wants: 'e-mail addresses, such as ops@example.com',
  provider: 'E-mail provider not configured: set ROOKERY_SMTP_URL and ROOKERY_SMTP_FROM.',
} as const

const KINDS: Readonly<Record<ListName, Kind>> = {
  emails: { kind: 'email', ...EMAIL },
  summary_email: { kind: 'summary', ...EMAIL },
  sms: {
    kind: 'sms',
    parameter: 'numbers',
    most: 20,
    read: telephoneNumber,
    wants: 'numbers with + and country code, such as +4930123456',
    provider: 'SMS provider not configured: set ROOKERY_SMS_URL.',
  },
}

/** E.164: +, country code, at most 15 digits; the blanks and signs of people are left out. */
function telephoneNumber(text: string): string | undefined {
  const plain = text.replace(/[\s().\u00a0-]/g, '')
  return /^\+[1-9]\d{6,14}$/.test(plain) ? plain : undefined
}

/** What a caller wants of a list: other recipients, none, another switch. */
export interface ListChange {
  readonly recipients: readonly string[] | undefined
  readonly enabled: boolean | undefined
}

/** Reads the parameters of a change; a wrong recipient is a `bad-input` that names it. */
export function readChange(
  list: ListName,
  {
    text,
    enabled,
    clear = false,
  }: { text: string | undefined; enabled: boolean | undefined; clear: boolean | undefined },
): ListChange {
  const { parameter, most, read, wants } = KINDS[list]
  const wrong = (reason: string): Fault =>
    new Fault('bad-input', `Parameter ${parameter} was invalid.`, { details: { [parameter]: reason } })
  if (text === undefined && enabled === undefined && !clear)
    throw wrong(`one of ${parameter}, enabled and clear is required`)
  if (text !== undefined && clear) throw wrong('cannot be set and cleared at once')
  if (clear) return { recipients: [], enabled: false }
  const recipients = text
    ?.split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const kept = read(entry)
      if (kept === undefined) throw wrong(`must be ${wants}, not ${JSON.stringify(entry.slice(0, 80))}`)
      return kept
    })
  const unique = recipients && [...new Set(recipients)]
  if (unique && unique.length > most) throw wrong(`must be at most ${most}, not ${unique.length}`)
  return { recipients: unique, enabled }
}

/** Changes a list and the receiver that it makes, and answers all lists; what waits for one that ends is dropped. */
export async function changeList(
  tx: Tx,
  { vault, world, providers }: Listing,
  owner: string,
  list: ListName,
  change: ListChange,
): Promise<Info> {
  const { kind, parameter, provider } = KINDS[list]
  const before = (await readLists(tx.query, owner))[list]
  const recipients = change.recipients ?? before.recipients
  const enabled = change.enabled ?? before.enabled
  if (change.enabled === true && !(kind === 'sms' ? providers.sms : world.mail)) {
    throw new Fault('conflict', provider)
  }
  if (enabled && recipients.length === 0)
    throw new Fault('conflict', `There is nobody to tell: give ${parameter}, too.`)
  await putList(tx, owner, list, { recipients, enabled })

  const known = vault.digest('url', list)
  const row = await findReceiverByUrl(tx.query, owner, kind, known)
  if (enabled) {
    const receiver = sealReceiver(vault, {
      webhookId: row?.webhook_id ?? hex(world.random, 16),
      flockId: owner,
      kind,
      known: list,
      url: recipients.join(','),
      host: `${kind === 'sms' ? 'SMS' : 'e-mail'} (${recipients.length})`,
      headers: {},
      secret: '',
      settings: {},
      createdAt: row?.created_at ?? world.clock.now(),
    })
    await putReceiver(tx, receiver)
  } else if (row) {
    await endWaiting(tx, row.webhook_id, 'dropped', 'The list was switched off.')
    await removeReceiver(tx, row.webhook_id)
  }
  return notificationInfo(tx.query, { vault }, owner)
}

type Info = Awaited<ReturnType<typeof notificationInfo>>

/** The lists as the API shows them. */
export async function notificationInfo(db: Query, { vault }: Pick<Base, 'vault'>, owner: string) {
  const lists = await readLists(db, owner)
  const shown = async (
    list: ListName,
  ): Promise<{ text: string; rest: { enabled: boolean; disabled_reason?: string } }> => {
    const { recipients, enabled }: NotificationList = lists[list]
    const row: ReceiverRow | undefined = enabled
      ? await findReceiverByUrl(db, owner, KINDS[list].kind, vault.digest('url', list))
      : undefined
    const reason = row?.disabled_reason ?? ''
    return {
      text: recipients.join(','),
      rest: { enabled: enabled && reason === '', ...(reason !== '' && { disabled_reason: reason }) },
    }
  }
  const [emails, sms, summary] = [await shown('emails'), await shown('sms'), await shown('summary_email')]
  return {
    notification_info: {
      emails: { addresses: emails.text, ...emails.rest },
      sms: { numbers: sms.text, ...sms.rest },
      summary_email: { addresses: summary.text, ...summary.rest },
    },
  }
}
