// The channels of chat services that a Flock's alerts go to. A team and a channel name at most one.
import type { AppContext } from '../../../app-context.ts'
import type { Query, Tx } from '../../../db/query.ts'
import { listReceivers, type ReceiverAttention, type ReceiverRow } from '../../../stores/webhooks/store.ts'
import { ALL_EARS } from '../../attention.ts'
import { openReceiver } from '../../receiver.ts'
import { addReceiver } from '../../receivers.ts'
import { descriptor, type Channel } from './descriptor.ts'

export async function channelsNamed(
  db: Query,
  vault: AppContext['vault'],
  flockId: string,
  team: string,
  channel: string,
): Promise<ReceiverRow[]> {
  const rows = await listReceivers(db, flockId, descriptor.kind)
  return rows.filter((row) => {
    const { settings } = openReceiver(vault, row)
    return settings['team'] === team && settings['channel'] === channel
  })
}

/** Adds a channel, in the place of an earlier authorisation of the same one. Answers the receiver's id. */
export async function addChannel(
  tx: Tx,
  deps: Pick<AppContext, 'vault' | 'world'>,
  flockId: string,
  channel: Channel,
  attention: ReceiverAttention = ALL_EARS,
): Promise<string> {
  const [earlier] = await channelsNamed(tx.query, deps.vault, flockId, channel.team, channel.channel)
  const form = { ...descriptor.parse(channel), attention }
  return addReceiver(tx, deps, flockId, descriptor.kind, form, earlier)
}
