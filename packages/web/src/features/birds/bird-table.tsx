// The table of Birds. Only the rows near the window are in the page, however many there are.
import { useVirtualizer } from '@tanstack/react-virtual'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef } from 'react'
import { Age } from '../../kit/age.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { LevelMark } from '../../kit/level-mark.tsx'
import { count } from '../../words/en.ts'
import css from './birds.module.css'
import type { BirdRow } from './queries.ts'
import { birdWords } from './words.ts'

interface BirdTableProps {
  readonly rows: readonly BirdRow[]
  readonly total: number
  readonly selected: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  readonly onToggleAll: (isAll: boolean) => void
  /** The last row came near. */
  readonly onEnd: () => void
}

const ROW_PX = 48
const NARROW_ROW_PX = 92
const NARROW = matchMedia('(width < 720px)')
const LEVELS = ['used', 'tried', 'looked', 'house'] as const

export function BirdTable({ rows, total, selected, onToggle, onToggleAll, onEnd }: BirdTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => (NARROW.matches ? NARROW_ROW_PX : ROW_PX),
    overscan: 8,
  })
  useEffect(() => {
    const measure = () => virtual.measure()
    NARROW.addEventListener('change', measure)
    return () => NARROW.removeEventListener('change', measure)
  }, [virtual])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - 20) onEnd()
  }, [last, rows.length, onEnd])
  const isEach = rows.every(({ node_id }) => selected.has(node_id))
  return (
    <div
      ref={box}
      role="table"
      aria-label={birdWords.title}
      aria-rowcount={total + 1}
      tabIndex={0}
      className={css['table']}
    >
      <div role="row" aria-rowindex={1} className={css['columns']}>
        <span role="columnheader" className={css['tick']}>
          <input
            type="checkbox"
            aria-label={birdWords.selectShown}
            checked={isEach}
            onChange={() => onToggleAll(!isEach)}
          />
        </span>
        {Object.entries(birdWords.columns).map(([name, label]) => (
          <span key={name} role="columnheader" className={css[name]}>
            {label}
          </span>
        ))}
      </div>
      <div role="rowgroup" className={css['space']} style={{ blockSize: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <Row
                key={row.node_id}
                row={row}
                index={index + 2}
                top={start}
                isSelected={selected.has(row.node_id)}
                onToggle={onToggle}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  readonly row: BirdRow
  readonly index: number
  readonly top: number
  readonly isSelected: boolean
  readonly onToggle: (id: string) => void
}

const Row = memo(function Row({ row, index, top, isSelected, onToggle }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index}
      data-selected={isSelected || undefined}
      className={css['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={css['tick']}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={birdWords.select(plainEvidence(row.name, 60))}
          onChange={() => onToggle(row.node_id)}
        />
      </span>
      <span role="cell" className={css['state']}>
        <span className={css['mark']} data-state={row.state}>
          {birdWords.states[row.state]}
        </span>
      </span>
      <span role="cell" className={css['name']}>
        <Link to="/birds/$id" params={{ id: row.node_id }} className={css['cut']}>
          <Evidence text={row.name} />
        </Link>
        {(row.settings_failure !== '' || row.is_muted) && (
          <span className={css['second']}>
            {row.is_muted && `${birdWords.muted} `}
            {row.settings_failure !== '' && (
              <span className={css['wrong']}>
                {birdWords.states.settings_failed}: <Evidence text={row.settings_failure} />
              </span>
            )}
          </span>
        )}
      </span>
      <span role="cell" className={[css['flock'], css['cut']].join(' ')}>
        <Evidence text={row.flock_name} />
      </span>
      <span role="cell" className={[css['address'], css['cut']].join(' ')}>
        <Evidence text={row.ip_address} />
      </span>
      <span role="cell" className={css['services']}>
        {count(row.services)}
      </span>
      <span role="cell" className={css['open']}>
        {LEVELS.filter((level) => row.open[level] > 0).map((level) => (
          <span key={level} className={css['level']}>
            <LevelMark level={level} /> {count(row.open[level])}
          </span>
        ))}
      </span>
      <span role="cell" className={css['seen']}>
        {row.state === 'never_seen' ? '–' : <Age atS={row.last_heartbeat} />}
      </span>
      <span role="cell" className={[css['version'], css['cut']].join(' ')}>
        <Evidence text={row.version} />
      </span>
    </div>
  )
})
