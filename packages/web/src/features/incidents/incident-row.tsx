import { memo } from 'react'
import { Age } from '../../kit/age.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { isEmpty, joined } from '../../kit/hostile.ts'
import { LevelMark } from '../../kit/level-mark.tsx'
import { words } from '../../words/en.ts'
import { SourceLink } from '../sources/source-link.tsx'
import type { Row } from './apply.ts'
import css from './grid.module.css'

interface IncidentRowProps {
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly isCursor: boolean
  readonly isSelected: boolean
  readonly isNew: boolean
  /** In a fold. */
  readonly isInside: boolean
  readonly onToggle: (hash: string) => void
  readonly onOpen: (hash: string) => void
}

export const IncidentRow = memo(function IncidentRow(props: IncidentRowProps) {
  const { row, index, top, isCursor, isSelected, isNew, isInside, onToggle, onOpen } = props
  const best = joined(row.evidence.map(({ value }) => value))
  return (
    <div
      role="row"
      id={`row-${row.hash_id}`}
      aria-rowindex={index}
      aria-selected={isSelected}
      data-cursor={isCursor || undefined}
      data-level={row.level}
      data-new={isNew || undefined}
      data-inside={isInside || undefined}
      className={css['row']}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onOpen(row.hash_id)}
    >
      <span role="gridcell" className={css['select']} onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={`${row.summary}, ${plainEvidence(row.src_host)}`}
          onChange={() => onToggle(row.hash_id)}
        />
      </span>
      <span role="gridcell" className={css['level']}>
        <LevelMark level={row.level} hasWord />
      </span>
      <span role="gridcell" className={css['what']}>
        <span className={css['summary']}>{row.summary}</span>
        <span className={css['evidence']}>
          <Evidence text={best} />
        </span>
      </span>
      <span role="gridcell" className={css['place']}>
        <span className={css['cut']}>
          <Evidence text={row.place} />
        </span>
        <span className={css['second']}>{row.flock_name}</span>
      </span>
      <span role="gridcell" className={css['source']}>
        <span className={css['address']}>
          <SourceLink source={row.src_host} isInRow />
        </span>
        <span className={css['second']}>
          {!isEmpty(row.src_name) && (
            <>
              <Evidence text={row.src_name} /> ·{' '}
            </>
          )}
          {row.seen_before === 0 ? words.inbox.firstSeen : words.inbox.seenBefore(row.seen_before)}
        </span>
      </span>
      <span role="gridcell" className={css['count']}>
        {words.inbox.times(row.events_count)}
      </span>
      <span role="gridcell" className={css['age']}>
        <Age atS={row.last} />
      </span>
    </div>
  )
})
