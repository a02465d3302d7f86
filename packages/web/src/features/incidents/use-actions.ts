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
export interface Target {
  /** These incidents. */
  readonly hashes: ReadonlySet<string>
  /** And all that each of these filters matches, */
  readonly searches: readonly InboxSearch[]
  /** of which these are shown. */
  readonly shown: ReadonlySet<string>
}

export const allOf = (search: InboxSearch): Target => ({
  hashes: new Set(),
  searches: [search],
  shown: new Set(),
})

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
  const last = useRef<{ readonly batches: readonly string[]; readonly target: Target } | undefined>(undefined)
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
    const { batches, target } = last.current
    const undoing = [...batches]
    last.current = undefined
    let [restored, left] = [0, 0]
    try {
      for (; undoing[0] !== undefined; undoing.shift()) {
        const undone = await call('incidentActions', 'undo', { batch_id: undoing[0] })
        restored += undone.restored
        left += undone.left
      }
      say({ text: words.inbox.undone(restored, left) })
      undone.current(target)
      reload()
    } catch (error) {
      // Not connected: it may be undone yet.
      if (error instanceof Problem && error.code === 'not-connected')
        last.current = { batches: undoing, target }
      refuse(error)
      if (undoing.length < batches.length) reload()
    }
  }, [say, reload, refuse])

  const carryOut = useCallback(
    async (action: Action, target: Target, leaves: boolean) => {
      const { hashes, searches, shown } = target
      const leaving = new Set([...hashes, ...shown])
      const putBack = leaves && leaving.size > 0 ? remove(leaving) : undefined
      const each = [
        ...(hashes.size > 0 ? [{ hash_ids: [...hashes].join(','), keys: false }] : []),
        ...searches.map(bulkParams),
      ]
      const batches: string[] = []
      let count = 0
      try {
        for (const params of each) {
          const done = await call('incidentActions', CALLS[action], params as never)
          count += done.count
          if (done.batch_id !== '') batches.push(done.batch_id)
        }
        say({
          text: SAID[action](count),
          ...(batches.length > 0 && {
            action: { label: words.action.undo, shortcut: 'z', run: () => void undo() },
          }),
        })
        if (!putBack || searches.length > 0) reload()
      } catch (error) {
        putBack?.()
        refuse(error)
        if (batches.length === 0) return
        reload()
      }
      last.current = batches.length > 0 ? { batches, target } : undefined
    },
    [remove, reload, say, undo, refuse],
  )
  const act = useCallback(
    (...asked: Parameters<typeof carryOut>) => (underWay.current = carryOut(...asked)),
    [carryOut],
  )

  return { act, undo }
}
