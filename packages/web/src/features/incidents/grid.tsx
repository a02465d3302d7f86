// The list as a grid. The box has the focus, the cursor is `aria-activedescendant`: a focused row that scrolls out of a virtual
// list would lose the focus. The cursor's row stays rendered.
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, type RefObject } from 'react'
import { words } from '../../words/en.ts'
import type { Row } from './apply.ts'
import css from './grid.module.css'
import { IncidentRow } from './incident-row.tsx'
import type { Selection } from './use-selection.ts'

interface GridProps {
  readonly box: RefObject<HTMLDivElement | null>
  readonly rows: readonly Row[]
  readonly entered: ReadonlySet<string> | undefined
  /** The rows still answer the filter before. */
  readonly isStale: boolean
  readonly total: number
  readonly selection: Selection
  readonly onOpen: (hash: string) => void
  readonly onTouch: () => void
  /** The last row came near. */
  readonly onEnd: () => void
}

const ROW_PX = 56
const NARROW_ROW_PX = 92
const NARROW = matchMedia('(width < 720px)')
const { columns } = words.inbox

export function Grid(props: GridProps) {
  const { box, rows, entered, isStale, total, selection, onOpen, onTouch, onEnd } = props
  const cursorAt = rows.findIndex(({ hash_id }) => hash_id === selection.cursor)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range)
      return cursorAt < 0 || shown.includes(cursorAt) ? shown : [...shown, cursorAt].toSorted((a, b) => a - b)
    },
    [cursorAt],
  )
  const virtual = useVirtualizer({
    count: rows.length,
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
    if (last >= rows.length - 20) onEnd()
  }, [last, rows.length, onEnd])
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
          <SelectLoaded rows={rows} selection={selection} />
        </span>
        {Object.entries(columns).map(([name, label]) => (
          <span key={name} role="columnheader" className={css[name]}>
            {label}
          </span>
        ))}
      </div>
      <Space px={virtual.getTotalSize()}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <IncidentRow
                key={row.hash_id}
                row={row}
                index={index + 2}
                top={start}
                isCursor={row.hash_id === selection.cursor}
                isSelected={selection.has(row.hash_id)}
                isNew={entered?.has(row.hash_id) ?? false}
                onToggle={selection.toggle}
                onOpen={onOpen}
              />
            )
          )
        })}
      </Space>
    </div>
  )
}

/** All rows that are loaded; what else matches is a second step, in the bar. */
function SelectLoaded({ rows, selection }: Pick<GridProps, 'rows' | 'selection'>) {
  const isEach = rows.every(({ hash_id }) => selection.has(hash_id))
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
