// Acknowledge, reopen, delete: the rows leave at once, the toast offers Undo, and a refused change puts the rows back.
import { useCallback, useRef } from 'react'
import { call } from '../../api/call.ts'
import { useToast } from '../../kit/toast.tsx'
import type { InboxSearch } from '../../links.ts'
import { explain } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { bulkParams } from './filter.ts'
import type { InboxRows } from './use-rows.ts'

export type Action = 'acknowledge' | 'unacknowledge' | 'remove'
/** These incidents, or all that the filter matches. */
export type Target = ReadonlySet<string> | InboxSearch

const CALLS = { acknowledge: 'acknowledgeMany', unacknowledge: 'unacknowledgeMany', remove: 'removeMany' } as const
const SAID = {
  acknowledge: words.inbox.acknowledged,
  unacknowledge: words.inbox.unacknowledged,
  remove: words.inbox.removed,
}

export function useActions(rows: Pick<InboxRows, 'remove' | 'reload'>) {
  const say = useToast()
  const lastBatch = useRef<string | undefined>(undefined)
  const { remove, reload } = rows

  const refuse = useCallback(
    (error: unknown) => {
      const { title, text } = explain(error)
      say({ text: `${words.inbox.refused} ${title} ${text}` })
      reload()
    },
    [say, reload],
  )

  const undo = useCallback(async () => {
    const batch = lastBatch.current
    if (batch === undefined) return
    lastBatch.current = undefined
    try {
      const { restored, left } = await call('incidentActions', 'undo', { batch_id: batch })
      say({ text: words.inbox.undone(restored, left) })
      reload()
    } catch (error) {
      refuse(error)
    }
  }, [say, reload, refuse])

  const act = useCallback(
    async (action: Action, target: Target, leaves: boolean) => {
      const isList = target instanceof Set
      if (isList && leaves) remove(target as ReadonlySet<string>)
      try {
        const params = isList
          ? { hash_ids: [...(target as ReadonlySet<string>)].join(','), keys: false }
          : bulkParams(target as InboxSearch)
        const { count, batch_id } = await call('incidentActions', CALLS[action], params as never)
        lastBatch.current = batch_id === '' ? undefined : batch_id
        say({
          text: SAID[action](count),
          ...(batch_id !== '' && {
            action: { label: words.action.undo, shortcut: 'z', run: () => void undo() },
          }),
        })
        if (!isList || !leaves) reload()
      } catch (error) {
        refuse(error)
      }
    },
    [remove, reload, say, undo, refuse],
  )

  return { act, undo }
}
