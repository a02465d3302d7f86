// The bell for lists that are asked anew as a whole: at once, and then at most every 3 s.
import { useEffect, useRef } from 'react'
import { useBell } from '../../live/live-provider.tsx'

const PAUSE_MS = 3_000

export function useSlowBell(listener: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const hasRung = useRef(false)
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const ring = (): void => {
    if (timer.current !== undefined) {
      hasRung.current = true
      return
    }
    latest.current()
    hasRung.current = false
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (hasRung.current) ring()
    }, PAUSE_MS)
  }
  useBell(ring)
}
