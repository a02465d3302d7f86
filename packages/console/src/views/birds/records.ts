// Records of Birds by their id, for views that show them with something else.
import type { AppContext } from '../../app-context.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Scope } from '../../db/query.ts'
import { listBirds } from '../../stores/birds/lists.store.ts'
import { birdRecord } from './record.ts'

/** The detailed records of these Birds, as far as they are registered and in the scope. */
export const birdRecords =
  ({
    reader,
    engine,
    world,
    assets,
  }: Pick<AppContext, 'reader' | 'engine' | 'world'> & { readonly assets: Pick<Assets, 'index'> }) =>
  async (nodeIds: readonly string[], scope: Scope): Promise<ReadonlyMap<string, object>> => {
    if (nodeIds.length === 0) return new Map()
    const birds = await listBirds(reader, engine.name, scope, { state: 'registered', nodeIds })
    const options = { tz: 'UTC', now: world.clock.now(), assets: await assets.index() }
    return new Map(birds.map((bird) => [bird.node_id, birdRecord(bird, options)]))
  }
