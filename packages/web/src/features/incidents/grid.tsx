// The list as a grid. The box has the focus, the cursor is `aria-activedescendant`: a focused row that scrolls out of a virtual
// list would lose the focus. The cursor's row stays rendered.
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, type RefObject } from 'react'
import { words } from '../../words/en.ts'
import type { InboxSearch } from '../../links.ts'
import { FoldRow } from './fold-row.tsx'
import { isFold, type Line } from './fold.ts'
import css from './grid.module.css'
import { IncidentRow } from './incident-row.tsx'
import type { Selection } from './use-selection.ts'

interface GridProps {
  readonly box: RefObject<HTMLDivElement | null>
  readonly lines: readonly Line[]
  readonly search: InboxSearch
  /** All rows that match are loaded. */
  readonly isWhole: boolean
  readonly entered: ReadonlySet<string> | undefined
  /** The rows still answer the filter before. */
  readonly isStale: boolean
  /** Lines, with those that are not loaded. */
  readonly total: number
  readonly selection: Selection
  readonly onOpen: (hash: string) => void
  readonly onUnfold: (source: string) => void
  readonly onTouch: () => void
  /** The last row came near. */
  readonly onEnd: () => void
}

const ROW_PX = 56
const NARROW_ROW_PX = 92
const NARROW = matchMedia('(width < 720px)')
const { columns } = words.inbox

export function Grid(props: GridProps) {
  const { box, lines, entered, isStale, total, selection, onOpen, onTouch, onEnd } = props
  const cursorAt = lines.findIndex(({ id }) => id === selection.cursor)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return cursorAt < 0 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].toSorted((a, b) => a - b)
    },
    [cursorAt],
  )
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => (NARROW.matches ? NARROW_ROW_PX : ROW_PX),
    overscan: 8,
    rangeExtractor,
  })
  useEffect(() => {
    // A phone that is turned has rows of another height.
    const measure = () => virtual.measure()
    NARROW.addEventListener('change', measure)
    return () => NARROW.removeEventListener('change', measure)
  }, [virtual])
  useEffect(() => {
    if (cursorAt >= 0) virtual.scrollToIndex(cursorAt, { align: 'auto' })
  }, [cursorAt, virtual])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const isRendered = items.some(({ index }) => index === cursorAt)
  useEffect(() => {
    if (last >= lines.length - 20) onEnd()
  }, [last, lines.length, onEnd])
  return (
    <div
      ref={box}
      role="grid"
      aria-label={words.inbox.title}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      aria-activedescendant={isRendered ? `row-${selection.cursor}` : undefined}
      aria-busy={isStale || undefined}
      tabIndex={0}
      className={css['grid']}
      onKeyDown={onTouch}
      onPointerDown={onTouch}
      // Rows come and go under the focus: it stays with the box.
      onFocus={({ target, currentTarget }) =>
        target !== currentTarget && currentTarget.focus({ preventScroll: true })
      }
      onWheel={onTouch}
    >
      <div role="row" aria-rowindex={1} className={css['columns']}>
        <span role="columnheader" className={css['select']}>
          <SelectLoaded lines={lines} selection={selection} />
        </span>
        {Object.entries(columns).map(([name, label]) => (
          <span key={name} role="columnheader" className={css[name]}>
            {label}
          </span>
        ))}
      </div>
      <Space px={virtual.getTotalSize()}>
        {items.map(({ index, start }) => {
          const line = lines[index]
          if (!line) return null
          const at = { index: index + 2, top: start, isCursor: line.id === selection.cursor }
          return isFold(line) ? (
            <FoldRow
              key={line.id}
              {...at}
              fold={line}
              search={props.search}
              isWhole={props.isWhole}
              selected={howSelected(line, selection)}
              isNew={line.rows.some(({ hash_id }) => entered?.has(hash_id))}
              onToggle={selection.toggle}
              onUnfold={props.onUnfold}
            />
          ) : (
            <IncidentRow
              key={line.id}
              {...at}
              row={line.row}
              isInside={line.isInside}
              isSelected={selection.has(line.id)}
              isNew={entered?.has(line.id) ?? false}
              onToggle={selection.toggle}
              onOpen={onOpen}
            />
          )
        })}
      </Space>
    </div>
  )
}

const howSelected = (line: Line, { has }: Selection): 'all' | 'some' | 'none' => {
  if (has(line.id)) return 'all'
  const its = isFold(line) ? line.rows : []
  return its.some(({ hash_id }) => has(hash_id)) ? 'some' : 'none'
}

/** All rows that are loaded; what else matches is a second step, in the bar. */
function SelectLoaded({ lines, selection }: Pick<GridProps, 'lines' | 'selection'>) {
  const isEach = lines.every((line) => howSelected(line, selection) === 'all')
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={words.inbox.selectShown}
      checked={isEach}
      ref={(it) => {
        if (it) it.indeterminate = !isEach && selection.size > 0
      }}
      onChange={isEach ? selection.clear : selection.selectLoaded}
    />
  )
}

/** Sizes are set through the CSSOM: the policy refuses style attributes in markup, not these. */
function Space({ px, children }: { readonly px: number; readonly children: React.ReactNode }) {
  return (
    <div role="rowgroup" className={css['space']} style={{ blockSize: px }}>
      {children}
    </div>
  )
}
