// Reads the console's stream of server-sent events, and goes on after a cut. It is read by `fetch`: it must carry the header.
import { createParser } from 'eventsource-parser'
import { pageHeaders } from '../api/call.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** What may have changed: incidents, or what somebody set, made or took away. */
export interface Changed {
  readonly incidents?: number
  readonly changes?: number
}

const ANYTHING: Changed = { incidents: 0, changes: 0 }

export interface StreamEvents {
  readonly onStatus: (status: LiveStatus) => void
  readonly onChanged: (changed: Changed) => void
  readonly onSignedOut: () => void
}

/** The console sends a heartbeat every 15 s: a stream that is silent for longer is cut, or held back by a proxy. */
const SILENT_MS = 40_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 15_000

/** Listens until `signal` aborts. */
export async function listen(signal: AbortSignal, events: StreamEvents): Promise<void> {
  for (let wait = FIRST_RETRY_MS; !signal.aborted;) {
    const outcome = await readOnce(signal, events)
    if (signal.aborted || outcome === 'signed out') return
    if (outcome === 'was live') wait = FIRST_RETRY_MS
    events.onStatus('reconnecting')
    await pause(wait, signal)
    wait = Math.min(wait * 2, MAX_RETRY_MS)
    // While the stream is cut the page asks by itself.
    if (!signal.aborted) events.onChanged(ANYTHING)
  }
}

async function readOnce(
  signal: AbortSignal,
  events: StreamEvents,
): Promise<'signed out' | 'was live' | 'failed'> {
  const silence = new AbortController()
  const stop = AbortSignal.any([signal, silence.signal])
  let timer = setTimeout(() => silence.abort(), SILENT_MS)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENT_MS)
  }
  let outcome: 'signed out' | 'was live' | 'failed' = 'failed'
  try {
    const response = await fetch('/api/v1/live', { headers: pageHeaders(), signal: stop })
    if (response.status === 401) {
      events.onSignedOut()
      return 'signed out'
    }
    if (!response.ok || !response.body) return 'failed'
    const parser = createParser({
      onEvent({ event, data }) {
        if (event === 'signed-out') {
          outcome = 'signed out'
          events.onSignedOut()
        } else if (event === 'changed') events.onChanged(JSON.parse(data) as Changed)
      },
    })
    for await (const text of textOf(response.body)) {
      heard()
      if (outcome === 'failed') {
        outcome = 'was live'
        events.onStatus('live')
        // What changed while nobody listened.
        events.onChanged(ANYTHING)
      }
      parser.feed(text)
    }
    return outcome
  } catch {
    return outcome
  } finally {
    clearTimeout(timer)
  }
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.releaseLock()
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
