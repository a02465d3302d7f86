// Lists of recipients: while one is enabled, it is a receiver of its Flock (or of all Flocks) like any other.
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../app-context.ts'
import type { Query, Tx } from '../db/query.ts'
import { endWaiting } from '../stores/deliveries/store.ts'
import { findFlock } from '../stores/flocks/store.ts'
import { putList, readList } from '../stores/notifications/store.ts'
import { findReceiverByUrl, nextCreation, putReceiver, removeReceiver } from '../stores/webhooks/store.ts'
import { ALL_EARS, attentionView, parseAttention, type AttentionGiven } from './attention.ts'
import { receiverKinds } from './receivers.gen.ts'
import type { RecipientListDescriptor } from './receiver-kind.ts'
import { sealReceiver } from './receiver.ts'
import { testTarget, type Notifier } from './receivers.ts'

/** What showing and changing lists takes. */
export type RecipientListDeps = Pick<AppContext, 'reader' | 'vault' | 'world'> & {
  readonly notifier: Pick<Notifier, 'isConfigured' | 'refusal' | 'consoleUrl' | 'send' | 'probe'>
}

export const recipientLists: readonly RecipientListDescriptor[] = Object.values(receiverKinds)
  .map(({ descriptor }) => descriptor)
  .filter((it) => it.madeBy === 'recipient-list')

/** What a caller wants of a list: other recipients, none, another switch. */
export interface ListChange {
  readonly recipients: readonly string[] | undefined
  readonly enabled: boolean | undefined
  readonly attention?: AttentionGiven
}

/** Reads the parameters of a change; a wrong recipient is a `bad-input` that names it. */
export function readChange(
  descriptor: RecipientListDescriptor,
  given: Readonly<Record<string, unknown>>,
): ListChange {
  const { parameter } = descriptor
  const wrong = (reason: string): Fault => invalidParameter(parameter, reason)
  const text = given[parameter]
  const enabled = typeof given['enabled'] === 'boolean' ? given['enabled'] : undefined
  const attention = given as AttentionGiven
  const isAboutAttention = attention.levels !== undefined || attention.quiet_hours !== undefined
  if (text === undefined && enabled === undefined && given['clear'] !== true && !isAboutAttention)
    throw wrong(`one of ${parameter}, enabled and clear is required`)
  if (given['clear'] === true) {
    if (text !== undefined) throw wrong('cannot be set and cleared at once')
    return { recipients: [], enabled: false }
  }
  if (typeof text !== 'string') return { recipients: undefined, enabled, attention }
  return { recipients: readRecipients(descriptor, text), enabled, attention }
}

/** Each once, in the spelling in which it is kept; a wrong one is a `bad-input` that names it. */
function readRecipients(
  { parameter, maxRecipients, parse, expected }: RecipientListDescriptor,
  text: string,
): readonly string[] {
  const wrong = (reason: string): Fault => invalidParameter(parameter, reason)
  const recipients = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const kept = parse(entry)
      if (kept === undefined) throw wrong(`must be ${expected}, not ${JSON.stringify(entry.slice(0, 80))}`)
      return kept
    })
  const unique = [...new Set(recipients)]
  if (unique.length > maxRecipients) throw wrong(`must be at most ${maxRecipients}, not ${unique.length}`)
  return unique
}

/** Really sends a dummy incident to these recipients, or to those that are kept; a failure is a `bad-input` with the reason. */
export async function testList(
  { reader, vault, world, notifier }: RecipientListDeps,
  owner: string,
  descriptor: RecipientListDescriptor,
  given: unknown,
): Promise<void> {
  const { kind, list, parameter, notConfigured } = descriptor
  if (!notifier.isConfigured(kind)) throw new Fault('conflict', notConfigured)
  const recipients =
    typeof given === 'string'
      ? readRecipients(descriptor, given)
      : (await readList(reader, owner, list)).recipients
  if (recipients.length === 0) throw new Fault('conflict', `The list has no recipients: give ${parameter}.`)
  const row = await findReceiverByUrl(reader, owner, kind, vault.digest('url', list))
  const name = (await findFlock(reader, 'all', owner))?.name ?? 'every Flock'
  await testTarget(
    { world },
    notifier,
    { flock_id: owner, name },
    // What passes to other recipients does not show that the list works.
    {
      ...NOBODY,
      kind,
      url: recipients.join(','),
      webhookId: typeof given === 'string' ? '' : (row?.webhook_id ?? ''),
    },
  )
}

const NOBODY = { headers: {}, secret: '', settings: {} }

/** Changes a list and the receiver that it makes, and answers all lists; what waits for one that ends is dropped. */
export async function changeList(
  tx: Tx,
  { vault, world, notifier }: RecipientListDeps,
  owner: string,
  { kind, list, parameter, shownAs, notConfigured }: RecipientListDescriptor,
  change: ListChange,
): Promise<object> {
  const before = await readList(tx.query, owner, list)
  const recipients = change.recipients ?? before.recipients
  const enabled = change.enabled ?? before.enabled
  if (change.enabled === true && !notifier.isConfigured(kind)) throw new Fault('conflict', notConfigured)
  const refusal = change.enabled === true ? notifier.refusal(kind) : undefined
  if (refusal !== undefined) throw invalidParameter('enabled', refusal)
  if (enabled && recipients.length === 0)
    throw new Fault('conflict', `The list has no recipients: give ${parameter}, too.`)
  const isCleared = change.recipients?.length === 0
  const attention = isCleared ? ALL_EARS : parseAttention(change.attention ?? {}, before.attention)
  await putList(tx, owner, list, { recipients, enabled, attention })

  const row = await findReceiverByUrl(tx.query, owner, kind, vault.digest('url', list))
  if (enabled) {
    const receiver = sealReceiver(vault, {
      webhookId: row?.webhook_id ?? hex(world.random, 16),
      flockId: owner,
      kind,
      urlKey: list,
      url: recipients.join(','),
      host: `${shownAs} (${recipients.length})`,
      headers: {},
      secret: '',
      settings: {},
      attention,
      createdAt: row?.created_at ?? (await nextCreation(tx.query, owner, world.clock.now())),
    })
    await putReceiver(tx, receiver)
  } else if (row) {
    await endWaiting(tx, row.webhook_id, 'dropped', 'The list was switched off.')
    await removeReceiver(tx, row.webhook_id)
  }
  return recipientListsView(tx.query, { vault }, owner)
}

/** The lists as the API shows them. */
export async function recipientListsView(
  db: Query,
  { vault }: Pick<AppContext, 'vault'>,
  owner: string,
): Promise<object> {
  const view = async ({ kind, list, parameter, takes }: RecipientListDescriptor): Promise<object> => {
    const { recipients, enabled, attention } = await readList(db, owner, list)
    const row = enabled ? await findReceiverByUrl(db, owner, kind, vault.digest('url', list)) : undefined
    const reason = row?.disabled_reason ?? ''
    return {
      [parameter]: recipients.join(','),
      enabled: enabled && reason === '',
      ...(reason !== '' && { disabled_reason: reason }),
      ...(takes === 'incidents' && attentionView(attention)),
    }
  }
  const views: Record<string, object> = {}
  for (const descriptor of recipientLists) views[descriptor.list] = await view(descriptor)
  return { notification_info: views }
}
