// The cursor and what is selected: single rows, folds, or everything that the filter matches.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isFold, type Line } from './fold.ts'

/** A bulk action takes at most so many incidents by name. */
const MOST = 1_000

/** Lines go by their id: a row by its hash id, a fold by its own. */
export interface Selection {
  /** The line that keys act on. */
  readonly cursor: string | undefined
  readonly size: number
  /** Everything that matches, loaded or not. */
  readonly isAll: boolean
  /** By itself, or with its fold. */
  readonly has: (id: string) => boolean
  readonly move: (by: 1 | -1, isExtending: boolean) => void
  readonly moveTo: (end: 'first' | 'last' | (string & {})) => void
  readonly toggle: (id: string) => void
  readonly selectLoaded: () => void
  readonly selectAll: () => void
  readonly clear: () => void
  /** Selects again what was selected, as soon as it is back; a set, or all. */
  readonly restore: (was: ReadonlySet<string> | 'all') => void
  /** What is selected, else the line under the cursor. */
  readonly targets: () => ReadonlySet<string>
}

export function useSelection(lines: readonly Line[], first?: string): Selection {
  const [cursor, setCursor] = useState<string | undefined>(first)
  const wanted = useRef<ReadonlySet<string> | undefined>(undefined)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const ids = useMemo(() => lines.map(({ id }) => id), [lines])
  /** What stands in a fold, shown or not, and the fold that it stands in. */
  const folded = useMemo(
    () =>
      new Map(
        lines.flatMap((line) => (isFold(line) ? line.rows.map(({ hash_id }) => [hash_id, line.id]) : [])),
      ),
    [lines],
  )

  // A line that left hands the cursor to the one that took its place.
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const at = cursor === undefined ? -1 : ids.indexOf(cursor)
    const fold = folded.get(cursor ?? '')
    if (at >= 0) setPlace(at)
    else if (ids.length > 0) setCursor(fold ?? ids[Math.min(place, ids.length - 1)])
    const present = new Set([...ids, ...folded.keys()])
    const again = [...(wanted.current ?? [])].filter((id) => present.has(id))
    if (again.length > 0) {
      wanted.current = undefined
      return setSelected(new Set(again))
    }
    setSelected((before) => {
      const left = [...before].filter((id) => present.has(id))
      return left.length === before.size ? before : new Set(left)
    })
  }, [ids, folded, cursor, place])

  const add = useCallback(
    (id: string) => {
      setAll(false)
      setSelected((before) => {
        // A fold has what stands in it.
        const next = new Set([...before].filter((it) => folded.get(it) !== id))
        if (!before.has(folded.get(id) ?? '')) next.add(id)
        return next.size > MOST ? before : next
      })
    },
    [folded],
  )
  const loaded = () => ids.filter((id) => !folded.has(id)).slice(0, MOST)
  const has = (id: string) => isAll || selected.has(id) || selected.has(folded.get(id) ?? '')

  return {
    cursor,
    size: selected.size,
    isAll,
    has,
    move(by, isExtending) {
      const at = cursor === undefined ? -1 : ids.indexOf(cursor)
      const next = ids[Math.min(Math.max(at + by, 0), ids.length - 1)]
      if (next === undefined) return
      if (isExtending) {
        if (cursor !== undefined) add(cursor)
        add(next)
      }
      setCursor(next)
    },
    moveTo: (end) => setCursor(end === 'first' ? ids[0] : end === 'last' ? ids.at(-1) : end),
    toggle(id) {
      if (!has(id)) return add(id)
      // All but this one: of those that are loaded, as of its fold.
      const fold = folded.get(id)
      const others = [...folded].flatMap(([it, its]) => (its === fold && it !== id ? [it] : []))
      const left = (isAll ? loaded() : [...selected]).flatMap((it) =>
        it === id ? [] : it === fold ? others : [it],
      )
      setAll(false)
      setSelected(new Set(left.slice(0, MOST)))
    },
    selectLoaded() {
      setAll(false)
      setSelected(new Set(loaded()))
    },
    selectAll: () => setAll(true),
    restore(was) {
      if (was === 'all') setAll(true)
      else wanted.current = was
    },
    clear() {
      wanted.current = undefined
      setAll(false)
      setSelected(new Set())
    },
    targets: () => (selected.size > 0 ? selected : new Set(cursor === undefined ? [] : [cursor])),
  }
}
