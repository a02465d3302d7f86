// What the inbox knows and does; `inbox.tsx` shows it.
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { now } from '../../world.ts'
import { useWhyNot } from '../../can.ts'
import { useToast } from '../../kit/toast.tsx'
import { words } from '../../words/en.ts'
import { canFold, rowsParams } from './filter.ts'
import { useFreshCounts } from './fold-count.ts'
import { isFold, linesOf, type Line } from './fold.ts'
import { lastCursor, lastUnfolded, noteCursor, noteList, noteUnfolded } from './listed.ts'
import { allOf, useActions, type Action, type Target } from './use-actions.ts'
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
  const folds = (canFold(search) && rows.loaded?.folds) || NO_FOLDS
  const { unfolded, unfold } = useUnfolded()
  const lines = useMemo(() => linesOf(list, folds, unfolded), [list, folds, unfolded])
  useFreshCounts()
  const selection = useSelection(lines, search.peek ?? lastCursor())
  const { act, undo } = useActions(
    rows,
    // What was undone is selected again, unless the list shows something else by now.
    ({ hashes, searches }: Target) => {
      const [first, ...others] = searches
      const isAll = others.length === 0 && first && JSON.stringify(rowsParams(first)) === rows.loaded?.key
      const again = searches.flatMap(({ source }) => (source === undefined ? [] : [`fold:${source}`]))
      selection.restore(isAll ? 'all' : new Set([...hashes, ...again]))
    },
  )
  const state = search.state ?? 'open'
  const refilter = (next: Change) => {
    selection.clear()
    change(next)
  }
  const targets = selection.targets()
  const chosen = lines.flatMap((line) => (isFold(line) && targets.has(line.id) ? [line] : []))
  const shown = new Set(chosen.flatMap((fold) => fold.rows.map(({ hash_id }) => hash_id)))
  const flocks = list.flatMap(({ hash_id, flock_id }) =>
    targets.has(hash_id) || shown.has(hash_id) ? [flock_id] : [],
  )
  const reason = useWhyNot('incidentActions', 'acknowledgeMany', selection.isAll ? undefined : flocks)
  const run = (action: Action) => {
    if (reason !== undefined) return say({ text: `${words.inbox.refused} ${reason}` })
    const hashes = new Set([...targets].filter((id) => !chosen.some((fold) => fold.id === id)))
    const searches = chosen.map(({ source }) => ({ ...search, source }))
    if (!selection.isAll && targets.size === 0) return
    const target = selection.isAll ? allOf(search) : { hashes, searches, shown }
    selection.clear()
    // Else it goes on to the next one, with the cursor.
    if (search.peek && leaves(state, action) && (selection.isAll || hashes.size + shown.size === list.length))
      change({ peek: '' })
    void act(action, target, leaves(state, action))
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
    lines,
    unfold,
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
    if (search.peek && cursor && cursor !== search.peek && !cursor.startsWith('fold:'))
      change({ peek: cursor })
    noteCursor(cursor)
  }, [cursor, search.peek, change])
  const isEmpty = list.length === 0
  useKeptFocus(box, isEmpty, search, selection.size, selection.isAll)
  useEffect(() => noteList({ hashes: hashesOf(lines), search }), [lines, search])
  return {
    search,
    ignored,
    change,
    refilter,
    open,
    state,
    rows,
    list,
    lines,
    chosen,
    unfold,
    selection,
    reason,
    run,
    box,
    closePeek,
    touched: () => (touchedAt.current = now()),
  }
}

/** Whether an action takes its incidents out of a list of this state. */
const leaves = (state: 'open' | 'acknowledged' | 'all', action: Action): boolean =>
  action === 'remove' || (state !== 'all' && (action === 'acknowledge') === (state === 'open'))

/** The list may go with its last row, a chip with its filter, a button with its bar, and the focus with it. */
function useKeptFocus(
  box: RefObject<HTMLElement | null>,
  ...[isEmpty, search, size, isAll]: readonly unknown[]
) {
  useEffect(() => {
    if (document.activeElement === document.body) (box.current ?? document.querySelector('h1'))?.focus()
  }, [box, isEmpty, search, size, isAll])
}

/** Of all incidents, in the order in which they are seen. */
const hashesOf = (lines: readonly Line[]) =>
  lines.flatMap((line) =>
    isFold(line) ? (line.isOpen ? [] : line.rows.map(({ hash_id }) => hash_id)) : [line.id],
  )

/** The sources whose folds are open; who comes back finds them as they were. */
function useUnfolded() {
  const [unfolded, setUnfolded] = useState(lastUnfolded)
  const unfold = useCallback((source: string, isOpen?: boolean) => {
    setUnfolded((before) => {
      const others = [...before].filter((it) => it !== source)
      return new Set((isOpen ?? others.length === before.size) ? [...others, source] : others)
    })
  }, [])
  useEffect(() => noteUnfolded(unfolded), [unfolded])
  return { unfolded, unfold }
}

const NO_ROWS: never[] = []
const NO_FOLDS: ReadonlySet<string> = new Set()
