// Keys of every page: `g` and a letter go somewhere, `?` shows the sheet of all keys.
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { areKeysOn, isForPage } from '../kit/keys.ts'
import { links } from '../links.ts'

const KeySheet = lazy(async () => ({ default: (await import('./key-sheet.tsx')).KeySheet }))

const PLACES = {
  i: links.inbox,
  o: links.overview,
  b: links.birds,
  t: links.tokens,
  a: links.receivers,
  f: links.flocks,
} as const

const isPlace = (key: string): key is keyof typeof PLACES => Object.hasOwn(PLACES, key)

export function PageKeys() {
  const navigate = useNavigate()
  const [hasSheet, setSheet] = useState(false)
  useEffect(() => {
    let isGoing = false
    const onKey = (event: KeyboardEvent) => {
      const wasGoing = isGoing
      isGoing = false
      if (!isForPage(event) || !areKeysOn() || event.key === 'Shift') return
      if (wasGoing && isPlace(event.key)) void navigate({ to: PLACES[event.key] })
      else if (event.key === '?') setSheet(true)
      else if (event.key === 'g') isGoing = true
      else return
      // Before the page's own keys: `g a` goes to the alerts, and selects nothing on the way.
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [navigate])
  return (
    hasSheet && (
      <Suspense>
        <KeySheet onClose={() => setSheet(false)} />
      </Suspense>
    )
  )
}
