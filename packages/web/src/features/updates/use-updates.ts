// What the page knows of the Birds' software, and how it updates some.
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { explain } from '../../problem.ts'
import { forEachOf } from '../birds/each.ts'
import type { BirdRow } from '../birds/queries.ts'
import { useSlowBell } from '../birds/use-slow-bell.ts'
import { birdsQuery, jobQuery, updatableQuery, updatingQuery } from './queries.ts'

const NONE: ReadonlySet<string> = new Set()

export function useUpdates() {
  const queries = useQueryClient()
  const listed = useInfiniteQuery(birdsQuery)
  const { data: updatable, refetch } = useQuery(updatableQuery)
  const rows = listed.data?.pages.flatMap((page) => page.rows) ?? []
  const flocks = [...new Set(rows.map(({ flock_id }) => flock_id))].sort()
  const updating = useQuery({ ...updatingQuery(flocks), enabled: flocks.length > 0 })
  /** Whose update this page has seen: they stay listed once they run the release. */
  const [followed, setFollowed] = useState(NONE)
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const ids = updating.data ?? []
    if (ids.length > 0) setFollowed((before) => new Set([...before, ...ids]))
  }, [updating.data])
  const refresh = () =>
    Promise.all([listed.refetch(), refetch(), ...(flocks.length > 0 ? [updating.refetch()] : [])])
  useSlowBell(() => void refresh())

  /** Begins the update of each; what the console says of one that it refuses stays with that one. */
  async function update(some: readonly BirdRow[], update_tag: string): Promise<void> {
    setBusy(true)
    const answers = new Map<string, string>()
    const { done } = await forEachOf(some, async ({ node_id }) => {
      try {
        await call('birdOperations', 'update', { node_id, update_tag })
      } catch (error) {
        const { title, text } = explain(error)
        answers.set(node_id, `${title} ${text}`)
        throw error
      }
    })
    const ids = new Set(some.map(({ node_id }) => node_id))
    setRefused((before) => new Map([...[...before].filter(([id]) => !ids.has(id)), ...answers]))
    setFollowed((before) => new Set([...before, ...done.map(({ node_id }) => node_id)]))
    for (const { node_id } of done) void queries.invalidateQueries({ queryKey: jobQuery(node_id).queryKey })
    setBusy(false)
    await refresh()
  }
  return { listed, rows, updatable, followed, refused, isBusy, update }
}
