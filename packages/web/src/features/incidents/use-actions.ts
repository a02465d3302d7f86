// Acknowledge, reopen, delete: the rows leave at once, the toast offers Undo, and a refused change puts the rows back.
import { useCallback, useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import { useToast } from '../../kit/toast.tsx'
import type { InboxSearch } from '../../links.ts'
import { explain, Problem } from '../../problem.ts'
import { words } from '../../words/en.ts'
import { bulkParams } from './filter.ts'
import type { InboxRows } from './use-rows.ts'

export type Action = 'acknowledge' | 'unacknowledge' | 'remove'
/** These incidents, or all that the filter matches. */
export type Target = ReadonlySet<string> | InboxSearch

const CALLS = {
  acknowledge: 'acknowledgeMany',
  unacknowledge: 'unacknowledgeMany',
  remove: 'removeMany',
} as const
const SAID = {
  acknowledge: words.inbox.acknowledged,
  unacknowledge: words.inbox.unacknowledged,
  remove: words.inbox.removed,
}

export interface Actions {
  readonly act: (action: Action, target: Target, leaves: boolean) => Promise<void>
  readonly undo: () => Promise<void>
}

/** `onUndone` gets what the undone action was about. */
export function useActions(
  rows: Pick<InboxRows, 'remove' | 'reload'>,
  onUndone: (target: Target) => void,
): Actions {
  const say = useToast()
  const last = useRef<{ readonly batch: string; readonly target: Target } | undefined>(undefined)
  /** The last action; Undo waits for it, since the rows leave before the console has answered. */
  const underWay = useRef(Promise.resolve())
  const { remove, reload } = rows
  const undone = useRef(onUndone)
  useEffect(() => {
    undone.current = onUndone
  })

  const refuse = useCallback(
    (error: unknown) => {
      const { title, text } = explain(error)
      say({ text: `${words.inbox.refused} ${title} ${text}` })
    },
    [say],
  )

  const undo = useCallback(async () => {
    await underWay.current
    if (!last.current) return
    const { batch, target } = last.current
    last.current = undefined
    try {
      const { restored, left } = await call('incidentActions', 'undo', { batch_id: batch })
      say({ text: words.inbox.undone(restored, left) })
      undone.current(target)
      reload()
    } catch (error) {
      // Not connected: it may be undone yet.
      if (error instanceof Problem && error.code === 'not-connected') last.current = { batch, target }
      refuse(error)
    }
  }, [say, reload, refuse])

  const carryOut = useCallback(
    async (action: Action, target: Target, leaves: boolean) => {
      const isList = target instanceof Set
      const putBack = isList && leaves ? remove(target as ReadonlySet<string>) : undefined
      try {
        const params = isList
          ? { hash_ids: [...(target as ReadonlySet<string>)].join(','), keys: false }
          : bulkParams(target as InboxSearch)
        const { count, batch_id } = await call('incidentActions', CALLS[action], params as never)
        last.current = batch_id === '' ? undefined : { batch: batch_id, target }
        say({
          text: SAID[action](count),
          ...(batch_id !== '' && {
            action: { label: words.action.undo, shortcut: 'z', run: () => void undo() },
          }),
        })
        if (!putBack) reload()
      } catch (error) {
        putBack?.()
        refuse(error)
      }
    },
    [remove, reload, say, undo, refuse],
  )
  const act = useCallback(
    (...asked: Parameters<typeof carryOut>) => (underWay.current = carryOut(...asked)),
    [carryOut],
  )

  return { act, undo }
}
