// Extension: the sources of the last days as plain text.
import { sharedSources } from '@rookery/contract/groups/shared-sources.ts'
import { FileAnswer, implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import type { SharedSources } from './sources.ts'

export interface SharedSourcesDeps {
  readonly sharedSources: SharedSources
}

export const sharedSourcesRoutes = ({
  reader,
  sharedSources: read,
}: Pick<AppContext, 'reader'> & SharedSourcesDeps): Route<Call>[] =>
  implement(sharedSources, {
    async list({ days, levels, flock_id }, { caller }: Call) {
      if (flock_id !== undefined) await existingFlock(reader, caller.scope, flock_id)
      const rows = await read({ scope: caller.scope, flockId: flock_id, days, levels })
      const text = rows.map(({ src_host }) => `${src_host}\n`).join('')
      return new FileAnswer('sources.txt', 'text/plain; charset=utf-8', text)
    },
  })
