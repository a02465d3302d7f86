// Incidents over time as columns of our own, and the same numbers as a table. One column, or several that somebody drags over,
// lead to their incidents.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type PointerEvent } from 'react'
import type { AnswerOf } from '../../api/call.ts'
import { Time } from '../../kit/age.tsx'
import { timeOf, type InboxSearch } from '../../links.ts'
import { count } from '../../words/en.ts'
import css from './overview.module.css'
import { houseWords } from './words.ts'

const { overview: said } = houseWords
/** From the ground up: what matters most stands lowest, on one line. */
const LEVELS = ['used', 'tried', 'looked', 'house'] as const
const HEIGHT = 100

type Timeline = AnswerOf<'incidentViews', 'timeline'>
type Column = Timeline['columns'][number]

const sumOf = (column: Column): number => LEVELS.reduce((sum, level) => sum + column[level], 0)
export const totalOf = ({ columns }: Timeline): number =>
  columns.reduce((sum, column) => sum + sumOf(column), 0)

interface LevelPlotProps {
  readonly timeline: Timeline
  readonly title: string
  /** What the timeline was asked for, besides its time. */
  readonly filter: InboxSearch
}

export function LevelPlot({ timeline, title, filter }: LevelPlotProps) {
  const navigate = useNavigate()
  const searchOf = (from: number, to: number): InboxSearch => ({ ...filter, ...spanOf(timeline, from, to) })
  return (
    <>
      <Plot
        timeline={timeline}
        title={title}
        onChoose={(from, to) => void navigate({ to: '/incidents', search: searchOf(from, to) })}
      />
      <p className={`${css['quiet']} ${css['axis']}`} aria-hidden="true">
        <Time atS={timeline.columns[0]?.at ?? 0} />
        <span>{said.highest(Math.max(0, ...timeline.columns.map(sumOf)))}</span>
        <Time atS={(timeline.columns.at(-1)?.at ?? 0) + timeline.seconds} />
      </p>
      <p className={`${css['quiet']} ${css['screen']}`}>{said.how}</p>
      <details className={css['more']}>
        <summary>{said.asTable}</summary>
        <Numbers timeline={timeline} searchOf={searchOf} />
      </details>
    </>
  )
}

/** The inbox's filter for columns: strictly after the second before the first. */
const spanOf = ({ columns, seconds }: Timeline, from: number, to: number): InboxSearch => ({
  state: 'all',
  from: timeOf((columns[from]?.at ?? 0) - 1),
  to: timeOf((columns[to]?.at ?? 0) + seconds),
})

interface PlotProps {
  readonly timeline: Timeline
  readonly title: string
  readonly onChoose: (from: number, to: number) => void
}

function Plot({ timeline, title, onChoose }: PlotProps) {
  const { columns } = timeline
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>()
  const highest = Math.max(1, ...columns.map(sumOf))
  const at = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const nth = Math.floor(((clientX - left) / width) * columns.length)
    return Math.max(0, Math.min(columns.length - 1, nth))
  }
  const first = drag && Math.min(drag.from, drag.to)
  const last = drag && Math.max(drag.from, drag.to)
  return (
    <svg
      viewBox={`0 0 ${columns.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
      className={css['plot']}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: at(event), to: at(event) })
      }}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: at(event) })}
      onPointerCancel={() => setDrag(undefined)}
      onPointerUp={() => {
        setDrag(undefined)
        if (first !== undefined && last !== undefined) onChoose(first, last)
      }}
    >
      {first !== undefined && last !== undefined && (
        <rect x={first} y="0" width={last - first + 1} height={HEIGHT} className={css['chosen']} />
      )}
      {columns.map((column, nth) => {
        let top = HEIGHT
        return LEVELS.map((level) => {
          const height = (column[level] / highest) * HEIGHT
          top -= height
          return (
            height > 0 && (
              <rect
                key={`${column.at} ${level}`}
                x={nth + 0.1}
                y={top}
                width="0.8"
                height={height}
                className={css[level]}
              />
            )
          )
        })
      })}
    </svg>
  )
}

interface NumbersProps {
  readonly timeline: Timeline
  readonly searchOf: (from: number, to: number) => InboxSearch
}

function Numbers({ timeline, searchOf }: NumbersProps) {
  return (
    <table className={[css['table'], css['numbers']].join(' ')}>
      <thead>
        <tr>
          {said.columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {timeline.columns.map((column, nth) => (
          <tr key={column.at}>
            <td>
              <Link to="/incidents" search={searchOf(nth, nth)}>
                <Time atS={column.at} />
              </Link>
            </td>
            {LEVELS.map((level) => (
              <td key={level}>{count(column[level])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
