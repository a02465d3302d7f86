// 4.4: reboots, notifications and descriptions of Birds.
import { birdOperations } from '@rookery/contract/groups/bird-operations.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { mirrorProblem } from '@rookery/link/release/mirror.ts'
import type { AppContext } from '../../app-context.ts'
import { birdRecord } from '../../views/birds/record.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { startUpdate } from '../../flows/releases/update-bird.ts'
import { FROM_CONSOLE } from '../../stores/transfers/store.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { addCommand, hasOpenCommand } from '../../stores/birds/commands.store.ts'
import { openSecrets } from '../../stores/birds/secret-settings.ts'
import { settingsBundle } from '../../stores/birds/settings.ts'
import { addBundles } from '../../stores/bundles/store.ts'
import { existingRelease } from '../../stores/releases/store.ts'
import { changeBird, registeredBird, type BirdRow } from '../../stores/birds/store.ts'
import { descriptionColumns, notificationColumns, renamedSettings } from './model.ts'

interface BirdOperationsDeps extends Pick<AppContext, 'world' | 'vault'> {
  readonly assets: Pick<Assets, 'index'>
  /** Called after the commit: the links of changed Birds read them now. */
  readonly wakeLinks: () => void
}

export const birdOperationsRoutes = ({
  world,
  vault,
  assets,
  wakeLinks,
}: BirdOperationsDeps): Route<Call>[] => {
  const change = async (
    call: Call,
    nodeId: string,
    work: (tx: Tx, bird: BirdRow) => Promise<Partial<BirdRow>>,
  ) => {
    const now = world.clock.now()
    const bird = await call.change(async (tx) => {
      const found = await registeredBird(tx.query, call.caller.scope, nodeId)
      const columns = { ...(await work(tx, found)), updated_at: now }
      await changeBird(tx.query, nodeId, columns)
      return { ...found, ...columns }
    })
    wakeLinks()
    const { ignore_reconnect, note } = bird
    return {
      device: {
        ...birdRecord(bird, { tz: 'UTC', now, assets: await assets.index() }),
        ignore_notifications_reconnect: ignore_reconnect === 1 ? 'True' : 'False',
        note,
      },
    }
  }

  return implement(birdOperations, {
    async reboot({ node_id }, call: Call) {
      await call.change(async (tx) => {
        await registeredBird(tx.query, call.caller.scope, node_id)
        // A second request before the Bird is back means the same reboot.
        if (await hasOpenCommand(tx.query, node_id, 'reboot')) return
        await addCommand(tx, {
          command_id: hex(world.random, 32),
          node_id,
          kind: 'reboot',
          payload: '{}',
          created_at: world.clock.now(),
        })
      })
      wakeLinks()
      return {}
    },
    async update({ node_id, update_tag, use_console_url, url }, call: Call) {
      const source = sourceOf(use_console_url, url)
      const job = await call.change(async (tx) => {
        const bird = await registeredBird(tx.query, call.caller.scope, node_id)
        return startUpdate(tx, { world, vault }, bird, await existingRelease(tx.query, update_tag), source)
      })
      wakeLinks()
      return { bundle_tag: job.job_id }
    },
    notifications: ({ node_id, ...flags }, call: Call) =>
      change(call, node_id, () => Promise.resolve(notificationColumns(flags))),
    describe: ({ node_id, story, ...given }, call: Call) =>
      change(call, node_id, async (tx, bird) => {
        const columns = descriptionColumns(given, bird)
        const settings = renamedSettings(columns, bird, story)
        if (!settings) return columns
        const bundle = settingsBundle(bird, settings, world, openSecrets(vault, bird.node_id, settings))
        await addBundles(tx, [bundle.row])
        return { ...columns, ...bundle.columns }
      }),
  })
}

/** From where the Bird is to fetch its update; empty for its link. */
function sourceOf(isFromConsole: boolean, url: string | undefined): string {
  if (url === undefined) return isFromConsole ? FROM_CONSOLE : ''
  const problem = isFromConsole ? 'cannot be given with use_console_url' : mirrorProblem(url)
  if (problem !== undefined) throw invalidParameter('url', problem)
  return url
}
