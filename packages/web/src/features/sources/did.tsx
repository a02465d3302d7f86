import { Link } from '@tanstack/react-router'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { joined } from '../../kit/hostile.ts'
import { LevelMark } from '../../kit/level-mark.tsx'
import { words } from '../../words/en.ts'
import type { Row } from '../incidents/apply.ts'
import css from '../overview/overview.module.css'
import { sourceWords as said } from './words.ts'

interface DidProps {
  readonly rows: readonly Row[]
  readonly total: number
  /** Undefined where all are shown. */
  readonly onMore?: () => void
}

/** The incidents of the source, newest first. */
export function Did({ rows, total, onMore }: DidProps) {
  return (
    <section className={css['part']}>
      <h2>{said.did}</h2>
      <table className={css['table']}>
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
          {rows.map((row) => (
            <tr key={row.hash_id}>
              <td className={css['short']}>
                <LevelMark level={row.level} hasWord />
              </td>
              <td>
                <Link to="/incidents/$hash" params={{ hash: row.hash_id }}>
                  {row.summary}
                </Link>
                {row.dst_port > 0 && ` · ${said.port(row.dst_port)}`}
                <br />
                <span className={css['mono']}>
                  <Evidence text={joined(row.evidence.map(({ value }) => value))} />
                </span>
              </td>
              <td className={css['name']}>
                <Evidence text={row.place} />
                <br />
                <span className={css['quiet']}>
                  <Evidence text={row.flock_name} />
                </span>
              </td>
              <td className={css['short']}>{words.inbox.times(row.events_count)}</td>
              <td className={css['short']}>
                <Time atS={row.first} />
              </td>
              <td className={css['short']}>{row.acknowledged ? said.acknowledged : said.open}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css['quiet']}>{words.inbox.shown(rows.length, total)}</p>
      {onMore && (
        <p>
          <Button onClick={onMore}>{said.more}</Button>
        </p>
      )}
    </section>
  )
}
