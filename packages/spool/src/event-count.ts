// How many events a segment has, and how many of them repeat others. A full spool decides by it, without reading the file.

export interface EventCount {
  events: number
  repeated: number
}

/** Made for one segment, whose events it is asked about in order: whether one repeats another, as JSON. */
export type RepetitionFilter = () => (json: string) => boolean

export function eventCounter(repetitions: RepetitionFilter) {
  const isRepeated = repetitions()
  const count = { events: 0, repeated: 0 }
  return {
    /** Of the events so far. */
    count,
    /** Counts the next event of the segment. */
    add(json: string) {
      count.events++
      if (isRepeated(json)) count.repeated++
    },
  }
}

export type EventCounter = ReturnType<typeof eventCounter>
