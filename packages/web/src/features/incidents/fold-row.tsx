import { Age } from '../../kit/age.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { hostile, isEmpty, joined, rawOf } from '../../kit/hostile.ts'
import { LevelMark, LEVELS } from '../../kit/level-mark.tsx'
import type { InboxSearch } from '../../links.ts'
import { words } from '../../words/en.ts'
import { SourceLink } from '../sources/source-link.tsx'
import { useFoldCounts } from './fold-count.ts'
import type { Fold } from './fold.ts'
import css from './grid.module.css'

interface FoldRowProps {
  readonly fold: Fold
  readonly search: InboxSearch
  /** All rows that match are loaded. */
  readonly isWhole: boolean
  readonly index: number
  readonly top: number
  readonly isCursor: boolean
  readonly selected: 'all' | 'some' | 'none'
  readonly isNew: boolean
  readonly onToggle: (id: string) => void
  readonly onUnfold: (source: string) => void
}

/** The worst level, the kinds and the places of what is loaded; the number is that of all. */
export function FoldRow(props: FoldRowProps) {
  const { fold, search, isWhole, index, top, isCursor, selected, isNew, onToggle, onUnfold } = props
  const { id, source, rows, isOpen } = fold
  const [n] = useFoldCounts(search, [fold], isWhole)
  const level = LEVELS.find((it) => rows.some((row) => row.level === it)) ?? 'looked'
  const title = words.inbox.fold(n, rows.length)
  const [{ src_host, src_name }] = rows as readonly [Fold['rows'][number]]
  return (
    <div
      role="row"
      id={`row-${id}`}
      aria-rowindex={index}
      aria-selected={selected === 'all'}
      data-cursor={isCursor || undefined}
      data-level={level}
      data-new={isNew || undefined}
      className={css['row']}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onUnfold(source)}
    >
      <span role="gridcell" className={css['select']} onClick={(event) => event.stopPropagation()}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={selected === 'all'}
          ref={(it) => {
            if (it) it.indeterminate = selected === 'some'
          }}
          aria-label={`${title}, ${source}`}
          onChange={() => onToggle(id)}
        />
      </span>
      <span role="gridcell" className={css['level']}>
        <LevelMark level={level} hasWord />
      </span>
      <span role="gridcell" className={css['what']}>
        <span className={css['summary']}>
          {/* A click on it is a click on the row. */}
          <button type="button" tabIndex={-1} aria-expanded={isOpen} className={css['fold']}>
            {title}
          </button>
        </span>
        <span className={css['second']}>{different(rows.map(({ summary }) => summary)).join(' · ')}</span>
      </span>
      <span role="gridcell" className={css['place']}>
        <span className={css['cut']}>
          <Evidence text={joined(different(rows.map(({ place }) => rawOf(place))).map(hostile))} />
        </span>
        <span className={css['second']}>
          {different(rows.map(({ flock_name }) => flock_name)).join(' · ')}
        </span>
      </span>
      <span role="gridcell" className={css['source']}>
        <span className={css['address']}>
          <SourceLink source={src_host} isInRow />
        </span>
        <span className={css['second']}>{!isEmpty(src_name) && <Evidence text={src_name} />}</span>
      </span>
      <span role="gridcell" className={css['count']} />
      <span role="gridcell" className={css['age']}>
        <Age atS={Math.max(...rows.map(({ last }) => last))} />
      </span>
    </div>
  )
}

/** In a cell that is cut, more would not be read. */
const MAX_NAMED = 5
const different = (texts: readonly string[]): readonly string[] => [...new Set(texts)].slice(0, MAX_NAMED)
