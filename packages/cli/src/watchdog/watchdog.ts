// A thread that ends this process when its main thread computes without an end: nothing else could. Its parent starts it again.
import { startThread } from '@rookery/console/db/thread.ts'
import { readMainThread } from './thread-stat.ts'

const SILENCE_MS = 10_000
const LOOKS = 20

/** What the thread is given. */
export interface Watch {
  readonly stamps: Int32Array<SharedArrayBuffer>
  readonly silenceMs: number
  readonly lookMs: number
  /** Gets the reason before the end. */
  readonly noteFile?: string | undefined
}

/** Called once the start is over, which may compute for long. Does nothing where the kernel does not say what a thread does. */
export function startWatchdog({
  silenceMs = SILENCE_MS,
  noteFile,
}: Partial<Pick<Watch, 'silenceMs' | 'noteFile'>> = {}): void {
  if (!readMainThread()) return
  const stamps = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const lookMs = silenceMs / LOOKS
  setInterval(() => Atomics.add(stamps, 0, 1), lookMs).unref()
  const watch: Watch = { stamps, silenceMs, lookMs, noteFile }
  startThread('watchdog', import.meta.url, watch)
}
