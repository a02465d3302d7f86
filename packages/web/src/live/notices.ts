// A notice of the desktop for what was used or tried: only where somebody switched it on, in this browser.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../api/call.ts'
import { plainEvidence } from '../kit/evidence.tsx'

type Row = AnswerOf<'incidentViews', 'rows'>['rows'][number]

const KEY = 'rookery.notices'

export function areNoticesOn(): boolean {
  try {
    return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on'
  } catch {
    // The browser has none, or storage is switched off.
    return false
  }
}

/** Answers whether they are on now: a browser asks, and refuses where the address is not encrypted. */
export async function switchNotices(isOn: boolean): Promise<boolean> {
  try {
    if (isOn) await Notification.requestPermission()
    localStorage.setItem(KEY, isOn ? 'on' : 'off')
  } catch {
    return false
  }
  return areNoticesOn()
}

/** Tells of the newest incident once it is newer than those before it; tabs that tell of the same show one. */
export function useNotices(newest: Row | undefined, isAsked: boolean): void {
  const navigate = useNavigate()
  const known = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (!isAsked) return
    const before = known.current
    known.current = Math.max(before ?? 0, newest?.first ?? 0)
    if (!newest || before === undefined || newest.first <= before || !areNoticesOn()) return
    const { hash_id: hash, summary, place, src_host } = newest
    const body = `${plainEvidence(place, 80)} · ${plainEvidence(src_host, 45)}`
    const notice = new Notification(summary, { body, tag: hash })
    notice.onclick = () => {
      focus()
      void navigate({ to: '/incidents/$hash', params: { hash } })
    }
  }, [newest, isAsked, navigate])
}
