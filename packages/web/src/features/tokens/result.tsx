// A token that was just made: what to plant, how to see it fire, and the first touch as it arrives.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../kit/button.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { Plant } from './plant.tsx'
import { tokenQuery, type Created, type Kind } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

interface ResultProps {
  readonly kind: Kind
  readonly created: Created
  readonly onAnother: () => void
}

export function Result({ kind, created, onAnother }: ResultProps) {
  const { decoytoken: token, warnings = [] } = created
  // What another reader of the token sees is what the console can show again.
  const { data } = useQuery(tokenQuery(token.decoytoken))
  const { access_key_id, secret_access_key, username } = token
  const issued = Object.fromEntries(
    Object.entries({ access_key_id, secret_access_key, username }).filter(([, text]) => text !== undefined),
  ) as Record<string, string>
  const texts = { ...issued, ...token.renders }
  const once = data && Object.keys(texts).filter((name) => !Object.hasOwn(data.token.renders, name))
  return (
    <>
      <PageHeading title={words.result.created(kind.name)} of={words.list.title} />
      <p>
        <Evidence text={token.memo} />
      </p>
      {warnings.length > 0 && (
        <div role="alert" className={css['warnings']}>
          <strong>{words.result.warnings}</strong>
          <ul>
            {warnings.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </div>
      )}
      <ErrorBoundary>
        <Plant token={token} kind={kind} texts={texts} once={once ?? []} isNew />
      </ErrorBoundary>
      <p className={css['tools']}>
        <Link to="/tokens/$id" params={{ id: token.decoytoken }}>
          {words.result.toToken}
        </Link>
        <Button onClick={onAnother}>{words.result.another}</Button>
      </p>
    </>
  )
}
