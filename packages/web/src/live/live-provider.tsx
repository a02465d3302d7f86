// Whether the page is live, and a bell for those who show what changes. While the stream is cut, the bell rings every 5 s.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react'
import { onReached } from '../api/call.ts'
import { sessionQuery } from '../session/session-query.ts'
import { now } from '../world.ts'
import { joinLive } from './leader.ts'
import { refresher } from './refresh.ts'
import type { LiveStatus } from './stream.ts'

interface Live {
  readonly status: LiveStatus
  /** Since when the console does not answer, epoch milliseconds; undefined while it does. */
  readonly cutAt: number | undefined
  readonly onBell: (listener: () => void) => () => void
}

const LiveContext = createContext<Live | undefined>(undefined)
const POLL_MS = 5_000

export function useLive(): Live {
  const live = use(LiveContext)
  if (!live) throw new Error('useLive needs a LiveProvider')
  return live
}

/** `isSignedIn`: without a session there is nothing to listen to. */
export function LiveProvider(props: { readonly children: ReactNode; readonly isSignedIn: boolean }) {
  const { children, isSignedIn } = props
  const queries = useQueryClient()
  const [streamed, setStatus] = useState<LiveStatus>('reconnecting')
  const [cutAt, setCutAt] = useState<number | undefined>()
  // Where the stream alone is cut, the page asks; where nothing answers, it is offline.
  const isReached = cutAt === undefined
  const status = streamed === 'live' ? 'live' : isReached ? 'reconnecting' : 'offline'
  useEffect(() => onReached((is) => setCutAt((before) => (is ? undefined : (before ?? now())))), [])
  const listeners = useRef(new Set<() => void>())
  useEffect(() => {
    if (!isSignedIn) return
    const ring = () => {
      for (const listener of listeners.current) listener()
    }
    const { refresh, stop } = refresher(queries)
    const leave = joinLive({
      onStatus(next) {
        setStatus(next)
        if (next === 'live') setCutAt(undefined)
      },
      onChanged({ incidents, changes }) {
        if (incidents !== undefined) ring()
        if (changes !== undefined) refresh()
      },
      onSignedOut: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    })
    return () => (leave(), stop())
  }, [queries, isSignedIn])
  useEffect(() => {
    if (status === 'live' || !isSignedIn) return
    const timer = setInterval(() => {
      for (const listener of listeners.current) listener()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [status, isSignedIn])
  const [onBell] = useState(() => (listener: () => void) => {
    listeners.current.add(listener)
    return () => listeners.current.delete(listener)
  })
  return <LiveContext value={{ status, cutAt, onBell }}>{children}</LiveContext>
}

/** Calls `listener` whenever something may have changed. */
export function useBell(listener: () => void): void {
  const { onBell } = useLive()
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => onBell(() => latest.current()), [onBell])
}
