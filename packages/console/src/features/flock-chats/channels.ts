// The channels of chat services that a Flock's alerts go to. A team and a channel name at most one.
import type { Base } from '../../base.ts'
import type { Query, Tx } from '../../db/query.ts'
import { readUrl } from '../../notify/receiver-url.ts'
import { openReceiver } from '../../notify/receiver.ts'
import type { ChatopsRecord } from '../../notify/records.ts'
import { addReceiver } from '../../notify/registry.ts'
import { listReceivers, type ReceiverRow } from '../../stores/webhooks/store.ts'

export async function channelsNamed(
  db: Query,
  vault: Base['vault'],
  flockId: string,
  team: string,
  channel: string,
): Promise<ReceiverRow[]> {
  const rows = await listReceivers(db, flockId, 'chatops')
  return rows.filter((row) => {
    const { settings } = openReceiver(vault, row)
    return settings['team'] === team && settings['channel'] === channel
  })
}

/** Adds a channel, in the place of an earlier authorisation of the same one. Answers the receiver's id. */
export async function addChannel(
  tx: Tx,
  needs: Pick<Base, 'reader' | 'vault' | 'world'>,
  flockId: string,
  { url, team, channel, configuration_url }: ChatopsRecord,
): Promise<string> {
  const [earlier] = await channelsNamed(tx.query, needs.vault, flockId, team, channel)
  const kept = {
    kind: 'chatops',
    headers: {},
    secret: '',
    settings: { team, channel, configuration_url },
  } as const
  return addReceiver(tx, needs, flockId, readUrl(url), kept, earlier)
}
