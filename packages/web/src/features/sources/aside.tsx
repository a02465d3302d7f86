// What the source tried, which ports it knocked on, and what else it touched.
import { Link } from '@tanstack/react-router'
import { Evidence } from '../../kit/evidence.tsx'
import { words } from '../../words/en.ts'
import type { Row } from '../incidents/apply.ts'
import css from '../overview/overview.module.css'
import { credentialsOfRows, placesOf, portsOf, type Past } from './summary.ts'
import { sourceWords as said } from './words.ts'

const MOST = 50

interface AsideProps {
  readonly rows: readonly Row[]
  readonly past: readonly Past[]
}

export function Aside({ rows, past }: AsideProps) {
  const credentials = credentialsOfRows(rows)
  const ports = portsOf(past)
  const places = placesOf(rows)
  return (
    <div className={css['column']}>
      <section className={css['part']}>
        <h2>{said.tried}</h2>
        <p className={css['quiet']}>{credentials.length === 0 ? said.noneTried : said.triedOf}</p>
        <ul className={css['entries']}>
          {credentials.slice(0, MOST).map(({ user, password, times }, at) => (
            <li key={at} className={css['mono']}>
              <Evidence text={user} />
              {password !== undefined && (
                <>
                  {' / '}
                  <Evidence text={password} />
                </>
              )}{' '}
              {words.inbox.times(times)}
            </li>
          ))}
        </ul>
        <More n={credentials.length - MOST} />
      </section>
      <section className={css['part']}>
        <h2>{said.ports}</h2>
        {ports.length === 0 && <p className={css['quiet']}>{said.noPorts}</p>}
        <ul className={css['levels']}>
          {ports.slice(0, MOST).map(([port, times]) => (
            <li key={port} className={css['mono']}>
              {port} <span className={css['quiet']}>{words.inbox.times(times)}</span>
            </li>
          ))}
        </ul>
        <More n={ports.length - MOST} />
      </section>
      <section className={css['part']}>
        <h2>{said.places}</h2>
        <ul className={css['entries']}>
          {places.slice(0, MOST).map((row) => (
            <li key={row.node_id}>
              {row.is_token ? (
                <Link to="/tokens/$id" params={{ id: row.node_id }}>
                  <Evidence text={row.place} />
                </Link>
              ) : (
                <Link to="/birds/$id" params={{ id: row.node_id }}>
                  <Evidence text={row.place} />
                </Link>
              )}{' '}
              <span className={css['quiet']}>
                <Evidence text={row.flock_name} />
              </span>
            </li>
          ))}
        </ul>
        <More n={places.length - MOST} />
      </section>
    </div>
  )
}

const More = ({ n }: { readonly n: number }) =>
  n > 0 && <p className={css['quiet']}>{words.incident.more(n)}</p>
