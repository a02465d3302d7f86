// Fetches what is left of a file by HTTP, and goes on after what may pass: each try begins at the byte that is wanted next.
import { CHUNK_BYTES } from '@rookery/link/messages.ts'
import { Refusal, type Download } from '../world/download.ts'
import type { BirdClock } from '../world.ts'

/** Tries without a byte, and the time before the second; it doubles. */
const TRIES = 5
const FIRST_WAIT_MS = 1_000

export interface HttpFetchDeps {
  readonly consoleUrl: string
  readonly clock: Pick<BirdClock, 'after'>
  readonly download: Download
}

export interface HttpPart {
  /** A path of the console, or the URL of a mirror. */
  readonly source: string
  readonly size: number
  readonly signal: AbortSignal
  /** How many bytes are there. */
  readonly copied: () => number
  /** Pieces no longer than those of the link. */
  readonly onBytes: (bytes: Buffer) => void
}

/** Rejects with the reason, as a clause; the signal ends it without one. */
export function httpFetch({ consoleUrl, clock, download }: HttpFetchDeps) {
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve)
      signal.addEventListener('abort', () => (cancel(), resolve()), { once: true })
    })

  return async ({ source, size, signal, copied, onBytes }: HttpPart): Promise<void> => {
    const isConsole = source.startsWith('/')
    const url = new URL(isConsole ? `${consoleUrl.replace(/\/+$/, '')}${source}` : source)
    for (let tries = 1; copied() < size && !signal.aborted; tries++) {
      const before = copied()
      try {
        await download({ url, isConsole, from: before, size, signal, onBytes: inPieces(onBytes) })
      } catch (error) {
        if (signal.aborted) return
        if (copied() > before) tries = 1
        if (error instanceof Refusal || tries === TRIES)
          throw new Error(`the download from ${url.host} failed: ${(error as Error).message}`, {
            cause: error,
          })
        await wait(FIRST_WAIT_MS * 2 ** (tries - 1), signal)
      }
    }
  }
}

export type HttpFetch = ReturnType<typeof httpFetch>

const inPieces =
  (onBytes: (bytes: Buffer) => void) =>
  (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) onBytes(bytes.subarray(at, at + CHUNK_BYTES))
  }
