// What became of a change that was sent, until it is applied, failed or was rolled back, and why.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { birdQuery, bundleQuery, bundlesQuery, hasEnded } from './queries.ts'

export function Follow({ tag }: { readonly tag: string }) {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(bundleQuery(tag))
  const bundle = data?.bundle
  const id = bundle?.node_id
  const isOver = bundle !== undefined && hasEnded(bundle)
  const isOnline =
    useQuery({ ...birdQuery(id ?? ''), enabled: id !== undefined }).data?.device.live !== 'False'
  useEffect(() => {
    if (!isOver || id === undefined) return
    void queries.invalidateQueries({ queryKey: birdQuery(id).queryKey })
    void queries.invalidateQueries({ queryKey: bundlesQuery(id).queryKey })
  }, [isOver, id, queries])
  if (error) return <ProblemBox error={error} onRetry={() => void refetch()} />
  if (!bundle) return null
  return (
    <p role="status" className={css['follow']} data-state={bundle.state}>
      <strong>
        {birdWords.settings.following}: {birdWords.one.bundleStates[bundle.state]}.
      </strong>{' '}
      {!isOver && !isOnline && birdWords.settings.offline}
      {bundle.reason !== '' && <Evidence text={bundle.reason} canUnfold />}
    </p>
  )
}
