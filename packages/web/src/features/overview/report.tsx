// A time in numbers, for those who answer for it: what came of its incidents, how soon somebody looked, and when Birds were silent.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { ageText, secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { LevelMark, LEVELS } from '../../kit/level-mark.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { count } from '../../words/en.ts'
import css from './overview.module.css'
import type { Span } from './timeline.tsx'
import { houseWords } from './words.ts'

const { report: said } = houseWords

type Report = AnswerOf<'incidentViews', 'report'>

/** Which time it is about, and how to choose another, or to print it. */
export function ReportTime({ span }: { readonly span: Span }) {
  const navigate = useNavigate()
  const [isWrong, setWrong] = useState(false)
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [from, to] = ['from', 'to'].map((name) => `${String(given.get(name))}-00:00:00`)
    const isRight = from !== undefined && to !== undefined && from < to
    setWrong(!isRight)
    if (isRight) void navigate({ to: '/overview', search: { from, to } })
  }
  return (
    <>
      <p>
        {said.from} <Time atS={secondsOf(span.from)} /> {said.to} <Time atS={secondsOf(span.to)} />.
      </p>
      <form className={`${css['days']} ${css['screen']}`} onSubmit={choose}>
        <TextField
          key={`from ${span.from}`}
          label={said.fromDay}
          name="from"
          type="date"
          required
          defaultValue={span.from.slice(0, 10)}
        />
        <TextField
          key={`to ${span.to}`}
          label={said.toDay}
          name="to"
          type="date"
          required
          defaultValue={span.to.slice(0, 10)}
          error={isWrong ? said.order : undefined}
        />
        <Button type="submit">{said.show}</Button>
        <Button look="primary" onClick={() => print()}>
          {said.print}
        </Button>
        <Link to="/overview">{said.back}</Link>
      </form>
    </>
  )
}

export function ReportPart({ span }: { readonly span: Span }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['incidentViews', 'report', span],
    queryFn: ({ signal }) =>
      call('incidentViews', 'report', { newer_than: span.from, older_than: span.to }, signal),
    retry: false,
  })
  if (isPending) return <Loading />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  return (
    <>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <Verdicts report={data} />
      <Acknowledged of={data.acknowledged} />
      <Gaps gaps={data.gaps} total={data.gaps_total} />
    </>
  )
}

function Verdicts({ report: { verdicts } }: { readonly report: Report }) {
  const sums = LEVELS.map((level) => verdicts.reduce((sum, row) => sum + row[level], 0))
  const all = sums.reduce((sum, n) => sum + n, 0)
  return (
    <section className={css['part']}>
      <h2>{said.incidents(all)}</h2>
      <table className={[css['table'], css['numbers']].join(' ')}>
        <thead>
          <tr>
            <th scope="col">{said.verdict}</th>
            {LEVELS.map((level) => (
              <th key={level} scope="col">
                <LevelMark level={level} hasWord />
              </th>
            ))}
            <th scope="col">{said.sum}</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map(({ verdict, ...row }) => (
            <tr key={verdict}>
              <th scope="row">{said.verdicts.find(([name]) => name === verdict)?.[1]}</th>
              {LEVELS.map((level) => (
                <td key={level}>{count(row[level])}</td>
              ))}
              <td>{count(LEVELS.reduce((sum, level) => sum + row[level], 0))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{said.sum}</th>
            {sums.map((n, at) => (
              <td key={LEVELS[at]}>{count(n)}</td>
            ))}
            <td>{count(all)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function Acknowledged({ of }: { readonly of: Report['acknowledged'] }) {
  const { count: n, median_seconds: median, p95_seconds: p95 } = of
  return (
    <section className={css['part']}>
      <h2>{said.acknowledged}</h2>
      {median === null || p95 === null ? (
        <p>{said.noneAcknowledged}</p>
      ) : (
        <dl className={css['facts']}>
          {(
            [
              [said.median, ageText(median * 1_000)],
              [said.p95, ageText(p95 * 1_000)],
              [said.known, count(n)],
            ] as const
          ).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  )
}

function Gaps({ gaps, total }: { readonly gaps: Report['gaps']; readonly total: number }) {
  return (
    <section className={css['part']}>
      <h2>{said.gaps}</h2>
      <p className={css['quiet']}>{total === 0 ? said.noGaps : said.gapsSum(gaps.length, total)}</p>
      {total > 0 && (
        <table className={css['table']}>
          <thead>
            <tr>
              {said.gapColumns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {gaps.map(({ node_id, name, from, to, is_open }) => (
              <tr key={`${node_id} ${from}`}>
                <td>
                  <Link to="/birds/$id" params={{ id: node_id }}>
                    <Evidence text={name} />
                  </Link>
                </td>
                <td className={css['short']}>
                  <Time atS={from} />
                </td>
                <td className={css['short']}>{is_open ? said.stillSilent : <Time atS={to} />}</td>
                <td className={css['short']}>{ageText((to - from) * 1_000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The month before this one, in UTC. */
export function lastMonth(nowMs: number): Span {
  const now = new Date(nowMs)
  const first = (back: number) =>
    `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10)}-00:00:00`
  return { from: first(1), to: first(0) }
}
