// Bounds on what an intruder can make us keep (behaviour 5): cut where it is too long, and say so.
import type { EventFields, EventValue } from './touch.ts'

const VALUE_BYTES = 4 * 1024
const EVENT_BYTES = 16 * 1024

/** The fields with every text at most 4 KiB (`…[+N bytes]`), the whole at most 16 KiB of JSON; `truncated: true` when cut. */
export function bounded(fields: EventFields): EventFields {
  let cut = false
  const kept: Record<string, EventValue> = {}
  let room = EVENT_BYTES - 32
  for (const [key, value] of Object.entries(fields)) {
    const short = shorten(value, () => (cut = true))
    const size = Buffer.byteLength(JSON.stringify(short)) + Buffer.byteLength(key) + 4
    if (size > room) {
      cut = true
      continue
    }
    room -= size
    kept[key] = short
  }
  if (cut) kept['truncated'] = true
  return kept
}

function shorten(value: EventValue, onCut: () => void): EventValue {
  if (typeof value === 'string') {
    const bytes = Buffer.byteLength(value)
    if (bytes <= VALUE_BYTES) return value
    onCut()
    const head = Buffer.from(value).subarray(0, VALUE_BYTES).toString('utf8').replace(/�+$/, '')
    return `${head}…[+${bytes - Buffer.byteLength(head)} bytes]`
  }
  if (Array.isArray(value)) return (value as readonly EventValue[]).map((item) => shorten(item, onCut))
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, onCut)]))
  }
  return value
}
