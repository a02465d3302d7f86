// The list as a grid that holds few rows, however many are loaded. The focused row stays, also out of sight.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Age } from '../../kit/age.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import css from './list.module.css'
import { flocksQuery, kindsQuery, type Token } from './queries.ts'
import { words } from './words.ts'

interface TokenGridProps {
  readonly tokens: readonly Token[]
  readonly total: number
  /** The rows still answer the filter before. */
  readonly isStale: boolean
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: ReadonlySet<string>) => void
  /** The last row came near. */
  readonly onEnd: () => void
}

const NARROW = matchMedia('(width < 720px)')
const { columns } = words.list

export function TokenGrid({ tokens, total, isStale, selected, onSelect, onEnd }: TokenGridProps) {
  const box = useRef<HTMLDivElement>(null)
  const [focusAt, setFocusAt] = useState(-1)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return focusAt < 0 || focusAt >= range.count || shown.includes(focusAt)
        ? shown
        : [...shown, focusAt].toSorted((a, b) => a - b)
    },
    [focusAt],
  )
  const virtual = useVirtualizer({
    count: tokens.length,
    getScrollElement: () => box.current,
    estimateSize: () => (NARROW.matches ? 84 : 52),
    overscan: 8,
    rangeExtractor,
  })
  useEffect(() => {
    const measure = () => virtual.measure()
    NARROW.addEventListener('change', measure)
    return () => NARROW.removeEventListener('change', measure)
  }, [virtual])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= tokens.length - 20) onEnd()
  }, [last, tokens.length, onEnd])
  const isEach = tokens.every(({ decoytoken }) => selected.has(decoytoken))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <div
      ref={box}
      role="table"
      aria-label={words.list.title}
      aria-rowcount={total + 1}
      aria-busy={isStale || undefined}
      tabIndex={0}
      className={css['grid']}
    >
      <div role="row" aria-rowindex={1} className={css['columns']}>
        <span role="columnheader" className={css['select']}>
          <input
            type="checkbox"
            aria-label={words.list.selectAll}
            checked={isEach}
            onChange={() => onSelect(new Set(isEach ? [] : tokens.map(({ decoytoken }) => decoytoken)))}
          />
        </span>
        {Object.entries(columns).map(([name, label]) => (
          <span key={name} role="columnheader" className={css[name]}>
            {label}
          </span>
        ))}
      </div>
      <div role="rowgroup" className={css['space']} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const token = tokens[index]
          return (
            token && (
              <div
                key={token.decoytoken}
                role="row"
                aria-rowindex={index + 2}
                className={css['row']}
                data-off={!token.enabled || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setFocusAt(index)}
              >
                <Cells token={token} isSelected={selected.has(token.decoytoken)} onToggle={toggle} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

interface CellsProps {
  readonly token: Token
  readonly isSelected: boolean
  readonly onToggle: (id: string) => void
}

function Cells({ token, isSelected, onToggle }: CellsProps) {
  const kinds = useQuery(kindsQuery)
  const flocks = useQuery(flocksQuery)
  const { decoytoken, memo, kind, placement, flock_id, enabled, triggered_count, last_triggered } = token
  const flock = flocks.data?.flocks.find((it) => it.flock_id === flock_id)?.name ?? ''
  return (
    <>
      <label role="cell" className={css['select']}>
        <input
          type="checkbox"
          aria-label={words.list.select(plainEvidence(memo, 60))}
          checked={isSelected}
          onChange={() => onToggle(decoytoken)}
        />
      </label>
      <span role="cell" className={css['memo']}>
        <Link to="/tokens/$id" params={{ id: decoytoken }} className={css['cut']}>
          <Evidence text={memo} />
        </Link>
        <span className={css['second']}>{kinds.data?.kinds[kind]?.name ?? kind}</span>
      </span>
      <span role="cell" className={[css['place'], css['cut']].join(' ')}>
        <Evidence text={placement} />
      </span>
      <span role="cell" className={[css['flock'], css['cut']].join(' ')}>
        <Evidence text={flock} />
      </span>
      <span role="cell" className={css['touched']}>
        {triggered_count === 0 ? words.list.never : words.list.times(triggered_count)}
        {last_triggered !== null && (
          <>
            {' · '}
            <Age atS={last_triggered} />
          </>
        )}
      </span>
      <span role="cell" className={css['state']}>
        {enabled ? words.list.is.enabled.yes : words.list.is.enabled.no}
      </span>
    </>
  )
}
