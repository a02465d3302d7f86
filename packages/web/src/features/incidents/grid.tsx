// The list as a grid. The box has the focus, the cursor is `aria-activedescendant`: a focused row that scrolls out of a virtual
// list would lose the focus. The cursor's row stays rendered.
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, type KeyboardEventHandler, type RefObject } from 'react'
import { words } from '../../words/en.ts'
import type { Row } from './apply.ts'
import css from './grid.module.css'
import { IncidentRow } from './incident-row.tsx'
import type { Selection } from './use-selection.ts'

interface GridProps {
  readonly box: RefObject<HTMLDivElement | null>
  readonly rows: readonly Row[]
  readonly total: number
  readonly selection: Selection
  readonly onOpen: (hash: string) => void
  readonly onKeyDown: KeyboardEventHandler
  readonly onTouch: () => void
  /** The last row came near. */
  readonly onEnd: () => void
}

const ROW_PX = 56
const NARROW_ROW_PX = 92
const NARROW = '(width < 720px)'
const { columns } = words.inbox

export function Grid({ box, rows, total, selection, onOpen, onKeyDown, onTouch, onEnd }: GridProps) {
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
    estimateSize: () => (matchMedia(NARROW).matches ? NARROW_ROW_PX : ROW_PX),
    overscan: 8,
    rangeExtractor,
  })
  useEffect(() => {
    if (cursorAt >= 0) virtual.scrollToIndex(cursorAt, { align: 'auto' })
  }, [cursorAt, virtual])
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
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
      aria-activedescendant={selection.cursor && `row-${selection.cursor}`}
      tabIndex={0}
      className={css['grid']}
      onKeyDown={(event) => (onTouch(), onKeyDown(event))}
      onPointerDown={onTouch}
      onWheel={onTouch}
    >
      <div role="row" aria-rowindex={1} className={css['columns']}>
        <span role="columnheader" className="visually-hidden">
          {words.inbox.select}
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

/** Sizes are set through the CSSOM: the policy refuses style attributes in markup, not these. */
function Space({ px, children }: { readonly px: number; readonly children: React.ReactNode }) {
  return (
    <div role="rowgroup" className={css['space']} style={{ blockSize: px }}>
      {children}
    </div>
  )
}
