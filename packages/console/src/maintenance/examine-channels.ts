// Whether tokens can be met: where their channels listen, what artefacts name, and who reached it.
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../app-context.ts'
import { readChannels } from '../stores/channels/store.ts'
import { countTokensByKind } from '../stores/tokens/kind-counts.store.ts'
import { channelViews, isForThisMachine } from '../views/tokens/channels.ts'
import { restoredAt } from './after-restore.ts'
import type { Finding } from './finding.ts'

/** A channel that others cannot reach is wrong where tokens need it. What names this machine alone is meant for it. */
export async function examineChannels({ reader }: Pick<AppContext, 'reader'>): Promise<Finding[]> {
  const planted = await countTokensByKind(reader)
  const rows = await readChannels(reader)
  const restored = await restoredAt(reader)
  return channelViews(rows).map((it) => {
    const { channel, listens, named, kinds, reached_std, reached_from, certificate, missing } = it
    const tokens = kinds.reduce((sum, kind) => sum + (planted.get(kind) ?? 0), 0)
    const facts = [
      listens === '' ? 'closed' : `listens at ${listens}`,
      `artefacts name ${named || 'nothing yet'}`,
      ...(certificate === '' ? [] : [`its certificate is for ${certificate}`]),
      reached_std === ''
        ? 'not reached from another machine'
        : `last reached from ${reached_from}, ${reached_std}`,
      `${tokens} enabled ${tokens === 1 ? 'token needs' : 'tokens need'} it, of the kinds ${kinds.join(', ')}`,
    ]
    const isWrong = tokens > 0 && missing.length > 0 && !isForThisMachine(it)
    const openedAt = rows.find((row) => row.channel === channel)?.opened_at ?? 0
    const restore = isWrong && restored !== undefined ? afterRestore(channel, restored, openedAt) : []
    const text = [`${channel}: ${facts.join('; ')}`, ...missing, ...restore].join('. ')
    return { ok: !isWrong, about: 'channel', text }
  })
}

/** A restored console knows its channels from the one before it, and tokens name what they named there. */
function afterRestore(channel: string, restored: number, openedAt: number): string[] {
  const when = `restored from a backup, ${std(restored, 'UTC')}`
  if (openedAt < restored)
    return [
      `This database was ${when}, and no console has served from it since: all this is of the machine before. Start the console, then run doctor again`,
    ]
  const authority =
    channel === 'https'
      ? '. Unless certificate and key, or tokens-ca.pem, were copied as well, clients that trusted the ones before refuse those of this console'
      : ''
  return [
    `This database was ${when}: tokens that are out name the address that they had before. Let that address lead to this machine (its DNS record, or the rule of its proxy or router), then open the URL of a token from another machine${authority}`,
  ]
}
