// In which zone the page shows its times: the browser's, or UTC.
import { chooseZone, useZone } from '../me/preferences.ts'
import { now } from '../world.ts'
import { words } from '../words/en.ts'
import css from './shell.module.css'

const NAME = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** `+02:00`; it follows daylight saving time. */
function offset(): string {
  const minutes = -new Date(now()).getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '−' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

export function ZoneSwitch() {
  const isUtc = useZone() === 'UTC'
  const name = isUtc ? 'UTC' : `${NAME} ${offset()}`
  const label = words.time.zone(name, isUtc ? words.time.own : 'UTC')
  return (
    <button
      type="button"
      className={css['zone']}
      aria-label={label}
      title={label}
      onClick={() => chooseZone(isUtc ? 'own' : 'UTC')}
    >
      {isUtc ? (
        'UTC'
      ) : (
        <>
          <span>{NAME} </span>
          {offset()}
        </>
      )}
    </button>
  )
}
