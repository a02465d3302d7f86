// How long ago, exact on hover and for screen readers. One clock ticks for all of them.
import { useSyncExternalStore } from 'react'
import { words } from '../words/en.ts'
import { now } from '../world.ts'

const listeners = new Set<() => void>()
let tick = now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    tick = now()
    for (const it of listeners) it()
  }, 10_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

interface AgeProps {
  /** Epoch seconds. */
  readonly atS: number
  /** `5 min ago`; in a column of ages, `5 min` is enough. */
  readonly isSentence?: boolean
}

export function Age({ atS, isSentence = false }: AgeProps) {
  useSyncExternalStore(subscribe, () => tick)
  const at = new Date(atS * 1000)
  return (
    <time dateTime={at.toISOString()} title={exactTime(atS)}>
      {isSentence ? words.time.ago(ageText(now() - at.getTime())) : ageText(now() - at.getTime())}
    </time>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

export const exactTime = (atS: number): string => exact.format(atS * 1000)
export const clockTime = (atS: number): string => clock.format(atS * 1000)

export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`
}
