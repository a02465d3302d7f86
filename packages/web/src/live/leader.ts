// One stream a browser, not a tab: six streams over HTTP/1.1 hang every further request. A Web Lock chooses the tab that
// listens; a BroadcastChannel tells the others, and the next tab takes over when it closes.
import { listen, type Changed, type LiveStatus, type StreamEvents } from './stream.ts'

const NAME = 'rookery.live'

type Message =
  | { readonly kind: 'signed-out' | 'ask' }
  | { readonly kind: 'changed'; readonly changed: Changed }
  | { readonly kind: 'status'; status: LiveStatus }

/** Answers how to stop. */
export function joinLive(events: StreamEvents): () => void {
  const stop = new AbortController()
  if (!('locks' in navigator)) {
    listenWhileVisible(stop.signal, events)
    return () => stop.abort()
  }
  const channel = new BroadcastChannel(NAME)
  let isLeader = false
  let status: LiveStatus = 'reconnecting'
  const tell = (message: Message) => {
    if (!stop.signal.aborted) channel.postMessage(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      if (isLeader) tell({ kind: 'status', status })
    } else if (data.kind === 'status') events.onStatus(data.status)
    else if (data.kind === 'changed') events.onChanged(data.changed)
    else events.onSignedOut()
  }
  tell({ kind: 'ask' })
  navigator.locks
    .request(NAME, { signal: stop.signal }, async () => {
      isLeader = true
      await listen(stop.signal, {
        onStatus(next) {
          status = next
          events.onStatus(next)
          tell({ kind: 'status', status })
        },
        onChanged(changed) {
          events.onChanged(changed)
          tell({ kind: 'changed', changed })
        },
        onSignedOut() {
          events.onSignedOut()
          tell({ kind: 'signed-out' })
        },
      })
    })
    .catch(() => undefined)
  return () => {
    stop.abort()
    channel.close()
  }
}

/** Without Web Locks only the visible tab listens. */
function listenWhileVisible(signal: AbortSignal, events: StreamEvents): void {
  let current: AbortController | undefined
  const follow = () => {
    current?.abort()
    current = undefined
    if (signal.aborted || document.hidden) return
    current = new AbortController()
    void listen(AbortSignal.any([signal, current.signal]), events)
  }
  document.addEventListener('visibilitychange', follow, { signal })
  signal.addEventListener('abort', follow, { once: true })
  follow()
}
