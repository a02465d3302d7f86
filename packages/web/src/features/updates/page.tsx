// Releases of the Bird's software: which there are, which Birds lag, and what became of each update.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWhyNot } from '../../can.ts'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import css from '../birds/birds.module.css'
import { birdWords } from '../birds/words.ts'
import { OutdatedBirds } from './birds.tsx'
import { releasesQuery } from './queries.ts'
import { Automatic, Releases } from './releases.tsx'
import { updateWords } from './words.ts'

export function UpdatesPage() {
  const reason = useWhyNot('updates', 'list')
  return (
    <div className={css['page']}>
      <p>
        <Link to="/birds">← {birdWords.title}</Link>
      </p>
      <PageHeading title={updateWords.title} />
      {reason === undefined ? <Updates /> : <p>{reason}</p>}
    </div>
  )
}

function Updates() {
  const { data: releases, error, refetch } = useQuery(releasesQuery)
  if (!releases)
    return error ? <ProblemBox error={error} onRetry={() => void refetch()} /> : <Loading rows={4} />
  return (
    <>
      {releases.length > 0 && (
        <ErrorBoundary>
          <OutdatedBirds releases={releases} />
        </ErrorBoundary>
      )}
      <ErrorBoundary>
        <Automatic releases={releases} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Releases releases={releases} />
      </ErrorBoundary>
    </>
  )
}
