// All kinds of tokens by shelf, found by what people call them.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useId } from 'react'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { links } from '../../links.ts'
import { kindsQuery, type Kind } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

export function Gallery() {
  const { q = '' } = useSearch({ from: '/shell/tokens/new' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(kindsQuery)
  const found = Object.entries(data?.kinds ?? {}).filter(([name, kind]) => isFound(name, kind, q))
  const shelves = Map.groupBy(found, ([, { shelf }]) => shelf)
  return (
    <div className={css['page']}>
      <p>
        <Link to={links.tokens}>← {words.list.title}</Link>
      </p>
      <PageHeading title={words.gallery.title} />
      <div className={css['narrow']}>
        <TextField
          label={words.gallery.search}
          type="search"
          placeholder={words.gallery.hint}
          value={q}
          autoFocus
          onChange={({ target }) =>
            void navigate({
              to: '/tokens/new',
              search: target.value === '' ? {} : { q: target.value },
              replace: true,
            })
          }
        />
      </div>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && found.length === 0 && <p role="status">{words.gallery.nothing(q)}</p>}
      {[...shelves].map(([shelf, kinds]) => (
        <section key={shelf} className={css['shelf']}>
          <h2>{shelf}</h2>
          <ul className={css['cards']}>
            {kinds.map(([name, kind]) => (
              <Card key={name} name={name} kind={kind} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Each word that was typed is part of the name, a keyword or what fires it. */
function isFound(name: string, { name: title, shelf, keywords }: Kind, q: string): boolean {
  const text = [name, title, shelf, ...keywords].join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Card({ name, kind }: { readonly name: string; readonly kind: Kind }) {
  const id = useId()
  return (
    <li className={css['card']} data-off={!kind.can_create || undefined}>
      <h3>
        {kind.can_create ? (
          <Link to="/tokens/new/$kind" params={{ kind: name }}>
            {kind.name}
          </Link>
        ) : (
          <a role="link" aria-disabled="true" aria-describedby={id} tabIndex={0}>
            {kind.name}
          </a>
        )}
      </h3>
      {!kind.can_create && (
        <p id={id} className={css['lack']}>
          {words.gallery.cannot} {kind.lacks[0]}
        </p>
      )}
      <p>
        <span className={css['muted']}>{words.gallery.fires}</span> {kind.fired_by}
      </p>
      <p>
        <span className={css['muted']}>{words.gallery.silent}</span> {kind.silenced_by}
      </p>
    </li>
  )
}
