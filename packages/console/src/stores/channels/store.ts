// The channels by which tokens are met: where they listen, and who reached them.
import type { Query, Tx } from '../../db/query.ts'
import type { ChannelTables } from './tables.ts'

export type ChannelRow = ChannelTables['token_channel']

export const readChannels = (db: Query): Promise<ChannelRow[]> =>
  db.selectFrom('token_channel').selectAll().orderBy('channel').execute()

/** Stores what was opened. Who reached a channel under another name says nothing of this one. */
export async function storeOpenedChannels(
  tx: Tx,
  opened: readonly Pick<ChannelRow, 'channel' | 'listens' | 'named' | 'opened_at'>[],
): Promise<void> {
  const known = new Map((await readChannels(tx.query)).map((row) => [row.channel, row]))
  const rows = opened.map((channel) => {
    const before = known.get(channel.channel)
    const isSame = before?.named === channel.named
    return {
      ...channel,
      touched_at: before?.touched_at ?? 0,
      reached_at: isSame ? before.reached_at : 0,
      reached_from: isSame ? before.reached_from : '',
      certificate: before?.certificate ?? '',
      certificate_problem: before?.certificate_problem ?? '',
    }
  })
  await tx.insertMany('token_channel', rows, { key: ['channel'], then: 'replace' })
}

export type ChannelUse = Pick<ChannelRow, 'channel'> &
  Partial<Pick<ChannelRow, 'touched_at' | 'reached_at' | 'reached_from'>>

export async function storeChannelUse(tx: Tx, uses: readonly ChannelUse[]): Promise<void> {
  for (const { channel, ...use } of uses)
    await tx.query.updateTable('token_channel').set(use).where('channel', '=', channel).execute()
}

export type ChannelCertificate = Pick<ChannelRow, 'channel' | 'certificate' | 'certificate_problem'>

/** Stores what the certificates of a channel are; answers what was wrong with them before. */
export async function storeChannelCertificate(
  tx: Tx,
  { channel, ...changed }: ChannelCertificate,
): Promise<string> {
  const before = await tx.query
    .selectFrom('token_channel')
    .select('certificate_problem')
    .where('channel', '=', channel)
    .executeTakeFirst()
  await tx.query.updateTable('token_channel').set(changed).where('channel', '=', channel).execute()
  return before?.certificate_problem ?? ''
}
