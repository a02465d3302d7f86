// The cursor and what is selected: single rows, or everything that the filter matches.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Row } from './apply.ts'

/** A bulk action takes at most so many incidents by name. */
const MOST = 1_000

export interface Selection {
  /** Hash id of the row that keys act on. */
  readonly cursor: string | undefined
  readonly size: number
  /** Everything that matches, loaded or not. */
  readonly isAll: boolean
  readonly has: (hash: string) => boolean
  readonly move: (by: 1 | -1, isExtending: boolean) => void
  readonly moveTo: (end: 'first' | 'last') => void
  readonly toggle: (hash: string) => void
  readonly selectLoaded: () => void
  readonly selectAll: () => void
  readonly clear: () => void
  /** Selects again what was selected, as soon as it is back; a set, or all. */
  readonly restore: (was: ReadonlySet<string> | 'all') => void
  /** What is selected, else the row under the cursor. */
  readonly targets: () => ReadonlySet<string>
}

export function useSelection(rows: readonly Row[], first?: string): Selection {
  const [cursor, setCursor] = useState<string | undefined>(first)
  const wanted = useRef<ReadonlySet<string> | undefined>(undefined)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAll, setAll] = useState(false)
  const hashes = useMemo(() => rows.map(({ hash_id }) => hash_id), [rows])

  // A row that left hands the cursor to the one that took its place.
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const at = cursor === undefined ? -1 : hashes.indexOf(cursor)
    if (at >= 0) setPlace(at)
    else if (hashes.length > 0) setCursor(hashes[Math.min(place, hashes.length - 1)])
    const present = new Set(hashes)
    const again = [...(wanted.current ?? [])].filter((hash) => present.has(hash))
    if (again.length > 0) {
      wanted.current = undefined
      return setSelected(new Set(again))
    }
    setSelected((before) => {
      const left = [...before].filter((hash) => present.has(hash))
      return left.length === before.size ? before : new Set(left)
    })
  }, [hashes, cursor, place])

  const add = useCallback((hash: string, isOn: boolean) => {
    setAll(false)
    setSelected((before) => {
      const next = new Set(before)
      if (isOn) next.add(hash)
      else next.delete(hash)
      return next.size > MOST ? before : next
    })
  }, [])

  return {
    cursor,
    size: selected.size,
    isAll,
    has: (hash) => isAll || selected.has(hash),
    move(by, isExtending) {
      const at = cursor === undefined ? -1 : hashes.indexOf(cursor)
      const next = hashes[Math.min(Math.max(at + by, 0), hashes.length - 1)]
      if (next === undefined) return
      if (isExtending) {
        if (cursor !== undefined) add(cursor, true)
        add(next, true)
      }
      setCursor(next)
    },
    moveTo: (end) => setCursor(hashes.at(end === 'first' ? 0 : -1)),
    toggle(hash) {
      if (!isAll) return add(hash, !selected.has(hash))
      // All but this one: of those that are loaded.
      setAll(false)
      setSelected(new Set(hashes.filter((it) => it !== hash).slice(0, MOST)))
    },
    selectLoaded() {
      setAll(false)
      setSelected(new Set(hashes.slice(0, MOST)))
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
