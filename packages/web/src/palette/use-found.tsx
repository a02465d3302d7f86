// What the console finds for the palette: five of each, once the typing has paused.
import { keepPreviousData, useQueries, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { whyNot } from '../can.ts'
import { Age } from '../kit/age.tsx'
import { Evidence } from '../kit/evidence.tsx'
import { addressOf, rawOf } from '../kit/hostile.ts'
import { links } from '../links.ts'
import { sessionQuery } from '../session/session-query.ts'
import { words } from '../words/en.ts'
import type { Entry, Group } from './entries.ts'

const PAUSE_MS = 120
const MOST = 5
const SHORTEST = 2

interface Found {
  readonly groups: readonly Group[]
  readonly isAsking: boolean
  readonly hasFailed: boolean
}

export function useFound(typed: string): Found {
  const { me } = useSuspenseQuery(sessionQuery).data
  const asked = usePaused(typed)
  const isLong = asked.length >= SHORTEST
  const mayReadPeople = whyNot(me, 'users', 'filter') === undefined
  const [birds, flocks, tokens, incidents, people] = useQueries({
    queries: [
      {
        ...shared('birds', asked, isLong),
        queryFn: ({ signal }) => call('birdQueries', 'rows', { filter_str: asked, limit: MOST }, signal),
      },
      {
        ...shared('flocks', asked, isLong),
        queryFn: ({ signal }) => call('flockSummaries', 'filter', { filter_str: asked }, signal),
      },
      {
        ...shared('tokens', asked, isLong),
        queryFn: ({ signal }) => call('tokens', 'search', { filter_str: asked, limit: MOST }, signal),
      },
      {
        ...shared('incidents', asked, isLong),
        queryFn: ({ signal }) =>
          call('incidentViews', 'rows', { filter_str: asked, state: 'all', limit: MOST }, signal),
      },
      {
        ...shared('people', asked, isLong && mayReadPeople),
        queryFn: ({ signal }) => call('users', 'filter', { filter_str: asked, limit: MOST }, signal),
      },
    ],
  })
  const all = [birds, flocks, tokens, incidents, people]
  const isAsking = typed.length >= SHORTEST && (typed !== asked || all.some(({ isFetching }) => isFetching))
  if (!isLong || typed.length < SHORTEST) return { groups: [], isAsking, hasFailed: false }
  const sources = new Set(
    (incidents.data?.rows ?? []).map(({ src_host }) => addressOf(src_host)).filter((it) => it !== undefined),
  )
  const groups: Group[] = [
    group(
      words.nav.birds,
      birds.data?.rows.map(({ node_id, name, flock_name }) => ({
        key: node_id,
        label: <Evidence text={name} />,
        hint: flock_name,
        to: `/birds/${node_id}`,
      })),
    ),
    group(
      words.nav.flocks,
      flocks.data?.flocks.map(({ flock_id, name }) => ({
        key: flock_id,
        label: <Evidence text={name} />,
        to: `/flocks/${encodeURIComponent(flock_id)}`,
      })),
    ),
    group(
      words.nav.tokens,
      tokens.data?.tokens.map(({ decoytoken, memo, kind }) => ({
        key: decoytoken,
        label: <Evidence text={memo} />,
        hint: kind,
        to: `/tokens/${decoytoken}`,
      })),
    ),
    group(
      words.palette.sources,
      [...sources]
        .filter((it) => it.includes(asked))
        .map((source) => ({
          key: `source ${source}`,
          label: source,
          hint: words.palette.source,
          to: `/sources/${encodeURIComponent(source)}`,
        })),
    ),
    group(
      words.nav.incidents,
      incidents.data?.rows.map(({ hash_id, summary, src_host, last }) => ({
        key: hash_id,
        label: summary,
        hint: (
          <>
            <Evidence text={rawOf(src_host)} /> <Age atS={last} />
          </>
        ),
        to: links.incident(hash_id),
      })),
    ),
    group(
      words.nav.people,
      people.data?.users.map(({ email }) => ({
        key: email,
        label: <Evidence text={email} />,
        to: links.people,
      })),
    ),
  ]
  return { groups, isAsking, hasFailed: all.some(({ isError }) => isError) }
}

const shared = (what: string, asked: string, enabled: boolean) => ({
  queryKey: ['palette', what, asked],
  enabled,
  placeholderData: keepPreviousData,
  retry: false,
})

const group = (name: string, entries: readonly Entry[] = []): Group => ({
  name,
  entries: entries.slice(0, MOST),
})

/** The text as it stands once nothing was typed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
