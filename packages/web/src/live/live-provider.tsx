// Whether the page is live, and a bell for those who show what changes. While the stream is cut, the bell rings every 5 s.
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react'
import { sessionQuery } from '../session/session-query.ts'
import { joinLive } from './leader.ts'
import type { LiveStatus } from './stream.ts'

interface Live {
  readonly status: LiveStatus
  /** When the page was last live, epoch milliseconds; undefined while it is. */
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

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [status, setStatus] = useState<LiveStatus>('reconnecting')
  const [cutAt, setCutAt] = useState<number | undefined>()
  const listeners = useRef(new Set<() => void>())
  useEffect(() => {
    const ring = () => {
      for (const listener of listeners.current) listener()
    }
    return joinLive({
      onStatus(next) {
        setStatus(next)
        setCutAt((before) => (next === 'live' ? undefined : (before ?? Date.now())))
      },
      onChanged: ring,
      onSignedOut: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    })
  }, [queries])
  useEffect(() => {
    if (status === 'live') return
    const timer = setInterval(() => {
      for (const listener of listeners.current) listener()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [status])
  const [onBell] = useState(() => (listener: () => void) => {
    listeners.current.add(listener)
    return () => void listeners.current.delete(listener)
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
