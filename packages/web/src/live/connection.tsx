import { clockTime } from '../kit/age.tsx'
import { words } from '../words/en.ts'
import { useLive } from './live-provider.tsx'
import css from './connection.module.css'

/** Word and dot: a page that may be old says so. */
export function Connection() {
  const { status, cutAt } = useLive()
  const since = cutAt === undefined ? '' : ` · ${clockTime(cutAt / 1000)}`
  return (
    <span role="status" aria-label={words.live.name} className={[css['connection'], css[status]].join(' ')}>
      {words.live[status]}
      {since}
    </span>
  )
}
