// A release leaves the console, and its archive with it; Birds that have it are not asked.
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { releaseFile } from '../../stores/files/store.ts'
import { deleteRelease, existingRelease } from '../../stores/releases/store.ts'
import { openUpdates } from '../../stores/transfers/updates.store.ts'

/** `not-found` for an unknown tag; `conflict` while a Bird is being given it. */
export const removeRelease = (
  { writer, world }: Pick<AppContext, 'writer' | 'world'>,
  tag: string,
): Promise<void> =>
  writer.write(
    async (tx) => {
      const { file_id } = await existingRelease(tx.query, tag)
      const open = await openUpdates(tx.query, tag)
      if (open > 0)
        throw new Fault(
          'conflict',
          `The release ${tag} is on its way to ${open} Birds. Ignore it, and wait for them.`,
        )
      await deleteRelease(tx, tag)
      await releaseFile(tx, file_id)
    },
    'care',
    () => [systemEntry(world.clock, 'local', 'updates.remove', 'Remove a release', { update_tag: tag })],
  )
