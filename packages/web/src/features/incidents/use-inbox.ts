// What the inbox knows and does; `inbox.tsx` shows it.
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { InboxSearch } from '../../links.ts'
import { now } from '../../world.ts'
import { useWhyNot } from '../../can.ts'
import { useToast } from '../../kit/toast.tsx'
import { words } from '../../words/en.ts'
import { rowsParams } from './filter.ts'
import { lastCursor, noteCursor, noteList } from './listed.ts'
import { useActions, type Action, type Target } from './use-actions.ts'
import { useAddress, type Change } from './use-address.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useRows } from './use-rows.ts'
import { useSelection } from './use-selection.ts'

/** A row enters by itself only if nobody has touched the list for so long. */
const UNTOUCHED_MS = 2_000

export function useInbox() {
  const { search, ignored, change, open } = useAddress()
  const params = useMemo(() => rowsParams(search), [search])
  const box = useRef<HTMLDivElement>(null)
  const say = useToast()
  const touchedAt = useRef(0)
  const canEnter = useCallback(
    () => (box.current?.scrollTop ?? 0) < 8 && now() - touchedAt.current > UNTOUCHED_MS,
    [],
  )
  const rows = useRows(params, canEnter)
  const list = rows.loaded?.rows ?? NO_ROWS
  const selection = useSelection(list, search.peek ?? lastCursor())
  const { act, undo } = useActions(
    rows,
    // What was undone is selected again, unless the list shows something else by now.
    (target: Target) => {
      if (target instanceof Set) selection.restore(target)
      else if (JSON.stringify(rowsParams(target as InboxSearch)) === rows.loaded?.key)
        selection.restore('all')
    },
  )
  const state = search.state ?? 'open'
  const refilter = (next: Change) => {
    selection.clear()
    change(next)
  }
  const leaves = (action: Action): boolean =>
    action === 'remove' || (state !== 'all' && (action === 'acknowledge') === (state === 'open'))
  const targets = selection.targets()
  const flocks = list.flatMap(({ hash_id, flock_id }) => (targets.has(hash_id) ? [flock_id] : []))
  const reason = useWhyNot('incidentActions', 'acknowledgeMany', selection.isAll ? undefined : flocks)
  const run = (action: Action) => {
    if (reason !== undefined) return say({ text: `${words.inbox.refused} ${reason}` })
    const target = selection.isAll ? search : selection.targets()
    if (target instanceof Set && target.size === 0) return
    selection.clear()
    // Else it goes on to the next one, with the cursor.
    if (search.peek && leaves(action) && (selection.isAll || selection.targets().size === list.length))
      change({ peek: '' })
    void act(action, target, leaves(action))
    // The button that was pressed is gone with the selection.
    box.current?.focus({ preventScroll: true })
  }
  const closePeek = () => {
    change({ peek: '' })
    box.current?.focus()
  }
  const { cursor } = selection
  useInboxKeys({
    box,
    selection,
    run,
    open,
    undo: () => void undo(),
    peek: (hash) => change({ peek: search.peek === hash ? '' : hash }),
    closePeek: search.peek ? closePeek : undefined,
    showWaiting: rows.showWaiting,
    canAct: { acknowledge: state !== 'acknowledged', unacknowledge: state !== 'open' },
  })
  useEffect(() => {
    // The peek follows the cursor.
    if (search.peek && cursor && cursor !== search.peek) change({ peek: cursor })
    noteCursor(cursor)
  }, [cursor, search.peek, change])
  const isEmpty = list.length === 0
  useEffect(() => {
    // The list went with its last row, a chip with its filter, a button with its bar, and the focus with it.
    if (document.activeElement === document.body) (box.current ?? document.querySelector('h1'))?.focus()
  }, [isEmpty, search, selection.size, selection.isAll])
  useEffect(() => noteList({ hashes: list.map(({ hash_id }) => hash_id), search }), [list, search])
  return {
    ...{ search, ignored, change, refilter, open, state },
    ...{ rows, list, selection, reason, run, box, touched: () => (touchedAt.current = now()) },
    ...{ closePeek },
  }
}

const NO_ROWS: never[] = []
