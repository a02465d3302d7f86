// Lists of tokens: all of a Flock, page by page, and search.
import type { tokens } from '@rookery/contract/groups/tokens.ts'
import type { Handlers } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { everyToken } from '../../stores/tokens/lists.store.ts'
import { readTokenPage } from './paging.ts'
import { chunksOf, tokensAnswer } from './stream.ts'

type Lists = Pick<Handlers<typeof tokens, Call>, 'ofFlock' | 'paginate' | 'search'>

export function tokenLists({
  engine,
  reader,
  vault,
}: Pick<AppContext, 'engine' | 'reader' | 'vault'>): Lists {
  return {
    async ofFlock({ flock_id }, { caller }: Call) {
      if (flock_id === undefined) return tokensAnswer(vault, {}, everyToken(engine, caller.scope, {}))
      await existingFlock(reader, caller.scope, flock_id)
      return tokensAnswer(vault, {}, everyToken(engine, caller.scope, { flockId: flock_id }))
    },
    async paginate({ flock_id, limit, cursor }, call: Call) {
      const filter = flock_id === undefined ? {} : { flockId: flock_id }
      const list = { path: '/decoytokens/paginate', filter, order: 'oldest', limit } as const
      const page = await readTokenPage({ engine, vault }, call, list, cursor)
      return tokensAnswer(
        vault,
        { cursor: page.cursor, page_num: page.number, page_total: page.pages },
        chunksOf(page.rows),
      )
    },
    async search({ filter_str, kind, flock_id, enabled, touched, limit, cursor }, call: Call) {
      const filter = {
        ...(filter_str !== undefined && { text: filter_str }),
        ...(kind !== undefined && { kind: kindNamed(kind).descriptor.kind }),
        ...(flock_id !== undefined && { flockId: flock_id }),
        ...(enabled !== undefined && { enabled }),
        ...(touched !== undefined && { touched }),
      }
      const list = { path: '/decoytokens/search', filter, order: 'newest', limit } as const
      const page = await readTokenPage({ engine, vault }, call, list, cursor)
      return tokensAnswer(
        vault,
        {
          cursor: page.cursor,
          page_number: page.number,
          total_pages: page.pages,
          total_results: page.total,
        },
        chunksOf(page.rows),
      )
    },
  }
}
