// How long ago, exact on hover and for screen readers; and exact times. One clock ticks for all of them.
import { useSyncExternalStore } from 'react'
import { useZone, type Zone } from '../me/preferences.ts'
import { words } from '../words/en.ts'
import { now } from '../world.ts'
import { chosenZone, formatIn } from './zone.ts'

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
  const zone = useZone()
  const at = new Date(atS * 1000)
  const age = ageText(now() - at.getTime())
  const title = zone === 'UTC' ? exactTime(atS, zone) : `${exactTime(atS, zone)} · ${exactTime(atS, 'UTC')}`
  return (
    <time dateTime={at.toISOString()} title={title}>
      {isSentence ? words.time.ago(age) : age}
    </time>
  )
}

/** The exact time in the zone that was chosen; in UTC on hover. */
export function Time({ atS }: { readonly atS: number }) {
  return (
    <time dateTime={new Date(atS * 1000).toISOString()} title={exactTime(atS, 'UTC')}>
      {exactTime(atS, useZone())}
    </time>
  )
}

const format = (options: Intl.DateTimeFormatOptions, zone: Zone): Intl.DateTimeFormat =>
  formatIn(options, zone === 'UTC' ? 'UTC' : chosenZone())

export const exactTime = (atS: number, zone: Zone): string =>
  format({ dateStyle: 'medium', timeStyle: 'long' }, zone).format(atS * 1000)
/** Of `2026-11-28 22:12:39 UTC+0000`, and of an address's `2026-11-28-22:12:39`. */
export const secondsOf = (utc: string): number =>
  Date.parse(`${utc.slice(0, 10)}T${utc.slice(11, 19)}Z`) / 1000

export const clockTime = (atS: number, zone: Zone): string =>
  format({ timeStyle: 'medium' }, zone).format(atS * 1000)

export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`
}
