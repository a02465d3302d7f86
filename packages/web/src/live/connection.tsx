// Whether the page is live: as a word and a dot at the top, and as a sentence once the console does not answer.
import { useEffect, useState } from 'react'
import { clockTime } from '../kit/age.tsx'
import { useZone } from '../me/preferences.ts'
import { words } from '../words/en.ts'
import { useLive } from './live-provider.tsx'
import css from './connection.module.css'

/** A stream that takes this long to open is worth a word. */
const PATIENCE_MS = 5_000

export function Connection() {
  const { status } = useLive()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (status !== 'reconnecting') return setLong(false)
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [status])
  return (
    <span role="status" aria-label={words.live.name} className={[css['connection'], css[status]].join(' ')}>
      {words.live[status]}
      {isLong && ` · ${words.live.polling}`}
    </span>
  )
}

export function NotConnected() {
  const { cutAt } = useLive()
  const zone = useZone()
  if (cutAt === undefined) return null
  return (
    <p role="alert" className={css['cut']}>
      <strong>{words.live.since(clockTime(cutAt / 1000, zone))}</strong> {words.live.old}
    </p>
  )
}
