// How many incidents began when, by level: columns of our own, and the same numbers as a table. One column, or several that
// somebody drags over, lead to their incidents.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type PointerEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { DAYS, timeOf, type Days, type InboxSearch } from '../../links.ts'
import { count } from '../../words/en.ts'
import { now } from '../../world.ts'
import css from './overview.module.css'
import { houseWords } from './words.ts'

const { overview: said, range } = houseWords
/** From the ground up: what matters most stands lowest, on one line. */
const LEVELS = ['used', 'tried', 'looked', 'house'] as const
const HEIGHT = 100

type Timeline = AnswerOf<'incidentViews', 'timeline'>
type Column = Timeline['columns'][number]

const sumOf = (column: Column): number => LEVELS.reduce((sum, level) => sum + column[level], 0)

export function TimelinePart({ days }: { readonly days: Days }) {
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['incidentViews', 'timeline', days],
    queryFn: ({ signal }) =>
      call(
        'incidentViews',
        'timeline',
        { state: 'all', newer_than: String(Math.floor(now() / 1_000) - Number(days) * 86_400) },
        signal,
      ),
    refetchInterval: 60_000,
  })
  const total = data?.columns.reduce((sum, column) => sum + sumOf(column), 0) ?? 0
  return (
    <section className={css['part']}>
      <h2>{data ? said.sum(total) : said.time}</h2>
      <span role="group" aria-label={houseWords.audit.time} className={css['ranges']}>
        {DAYS.map((it) => (
          <Button
            key={it}
            look="quiet"
            aria-pressed={it === days}
            onClick={() => void navigate({ to: '/overview', search: { days: it }, replace: true })}
          >
            {range[it]}
          </Button>
        ))}
      </span>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      {data && (
        <>
          <Plot
            timeline={data}
            onChoose={(search) => void navigate({ to: '/incidents', search })}
            title={said.sum(total)}
          />
          <p className={css['quiet']}>{said.how}</p>
          <details className={css['more']}>
            <summary>{said.asTable}</summary>
            <Numbers timeline={data} />
          </details>
        </>
      )}
    </section>
  )
}

/** The inbox's filter for columns: strictly after the second before the first. */
const searchOf = ({ columns, seconds }: Timeline, from: number, to: number): InboxSearch => ({
  state: 'all',
  from: timeOf((columns[from]?.at ?? 0) - 1),
  to: timeOf((columns[to]?.at ?? 0) + seconds),
})

interface PlotProps {
  readonly timeline: Timeline
  readonly title: string
  readonly onChoose: (search: InboxSearch) => void
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
        if (first !== undefined && last !== undefined) onChoose(searchOf(timeline, first, last))
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

function Numbers({ timeline }: { readonly timeline: Timeline }) {
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
              <Link to="/incidents" search={searchOf(timeline, nth, nth)}>
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
