// Which incidents a receiver is notified of: those of some levels, and of those that only looked none in its quiet hours. What
// is held back is in the inbox and is not sent later (decision 0065).
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { LEVELS, type Level } from '@rookery/kernel/logtype.ts'
import { checkTimeZone, std } from '@rookery/kernel/time.ts'
import type { ReceiverAttention } from '../stores/webhooks/store.ts'

/** The parameters of every operation that adds a receiver. */
export interface AttentionGiven {
  readonly levels?: string | undefined
  readonly quiet_hours?: string | undefined
}

/** Everything, at any time. */
export const ALL_EARS: ReceiverAttention = { levels: '', quiet_hours: '' }

/** As it is kept; a wrong text is a `bad-input` that names its parameter. What is not given stays as in `before`. */
export const parseAttention = (
  { levels, quiet_hours }: AttentionGiven,
  before: ReceiverAttention = ALL_EARS,
): ReceiverAttention => ({
  levels: levels === undefined ? before.levels : keptLevels(levels),
  quiet_hours: quiet_hours === undefined ? before.quiet_hours : keptHours(quiet_hours),
})

/** As the API shows it. */
export const attentionView = ({ levels, quiet_hours }: ReceiverAttention): ReceiverAttention => ({
  levels: levels || LEVELS.join(','),
  quiet_hours,
})

/** Empty where it is all of them, so that a level that comes later is among them. */
function keptLevels(text: string): string {
  const given = text.split(/[,\s]+/).filter(Boolean)
  const wrong = given.find((it) => !(LEVELS as readonly string[]).includes(it))
  if (wrong !== undefined)
    throw invalidParameter(
      'levels',
      `must be some of ${LEVELS.join(', ')}, separated by commas, not ${wrong}`,
    )
  const kept = LEVELS.filter((it) => given.includes(it))
  return kept.length === LEVELS.length ? '' : kept.join(',')
}

const HOURS = /^((?:[01]\d|2[0-3]):[0-5]\d) ?[-–] ?((?:[01]\d|2[0-3]):[0-5]\d) +(\S+)$/

function keptHours(text: string): string {
  if (text.trim() === '') return ''
  const wrong = (reason: string): Fault => invalidParameter('quiet_hours', reason)
  const [, from = '', until = '', tz = ''] = HOURS.exec(text.trim()) ?? []
  if (tz === '')
    throw wrong('must be two times of 24 hours and a time zone, such as 22:00-06:00 Europe/Berlin')
  if (from === until)
    throw wrong('must end at another time than it begins; leave looked out of levels instead')
  try {
    checkTimeZone(tz)
  } catch {
    throw wrong(`names the time zone ${tz}, which is none of the IANA tz database, such as Europe/Berlin`)
  }
  return `${from}-${until} ${tz}`
}

/** Whether receivers are notified of an incident of a level that is raised at `now`. The clocks of a zone are read once. */
export function listening(now: number): (receiver: ReceiverAttention | undefined, level: Level) => boolean {
  const quiet = new Map<string, boolean>()
  function isQuiet(hours: string): boolean {
    const known = quiet.get(hours)
    if (known !== undefined) return known
    const is = isWithin(hours, now)
    quiet.set(hours, is)
    return is
  }
  return (receiver = ALL_EARS, level) =>
    (receiver.levels === '' || receiver.levels.split(',').includes(level)) &&
    (level !== 'looked' || receiver.quiet_hours === '' || !isQuiet(receiver.quiet_hours))
}

/** As the clocks on the wall show it: an hour that comes twice is quiet twice. From the first minute until before the last. */
export function isWithin(hours: string, at: number): boolean {
  const [span = '', tz = ''] = hours.split(' ')
  const [from = '', until = ''] = span.split('-')
  const shown = std(at, tz).slice('2026-11-20 '.length, '2026-11-20 09:39'.length)
  return from < until ? from <= shown && shown < until : from <= shown || shown < until
}
