// Records that are written together, one behind the other in one buffer.
import { MAX_RECORD_JSON, RECORD_HEADER, writeRecord } from './record.ts'

const GROUP_BYTES = 128 * 1024

export interface GroupedRecords {
  /** In a buffer that the next `add` overwrites. */
  readonly records: Buffer
  /** Their JSON. */
  readonly events: readonly string[]
}

export function recordGroup() {
  const buffer = Buffer.allocUnsafe(GROUP_BYTES)
  let events: string[] = []
  let length = 0

  return {
    /** Bytes of its records. */
    get length() {
      return length
    },
    /** There may be no room for another one. */
    get isFull() {
      return length + RECORD_HEADER + MAX_RECORD_JSON > GROUP_BYTES
    },
    /** Adds the record of a JSON text that is not too long for one. */
    add(json: string) {
      length = writeRecord(json, buffer, length)
      events.push(json)
    },
    /** The group is empty then. */
    take(): GroupedRecords {
      const taken = { records: buffer.subarray(0, length), events }
      events = []
      length = 0
      return taken
    },
  }
}
