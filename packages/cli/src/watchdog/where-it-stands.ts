// Where the main thread computes, asked of V8's debugger from another thread: it interrupts loops, and regular expressions too.
import { Session, type Debugger, type InspectorNotification } from 'node:inspector'
import { sourceStack } from '../source-stack.ts'

/** Code without a place to stop at, such as a long sort of the library, gives no answer. */
const WAIT_MS = 5_000
const FRAMES = 4

/** The innermost functions, such as `match (packages/…/pattern.ts:31:5) < call (…)`; undefined where they cannot be had. Stops the thread. */
export function whereItStands(): Promise<string | undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, WAIT_MS, undefined)
    const urls = new Map<string, string>()
    try {
      const session = new Session()
      session.connectToMainThread()
      session.on(
        'Debugger.scriptParsed',
        ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) =>
          urls.set(params.scriptId, params.url),
      )
      session.on(
        'Debugger.paused',
        ({ params }: InspectorNotification<Debugger.PausedEventDataType>) =>
          void resolve(describe(params.callFrames, urls) || undefined),
      )
      session.post('Debugger.enable')
      session.post('Debugger.pause')
    } catch {
      resolve(undefined)
    }
  })
}

const describe = (frames: readonly Debugger.CallFrame[], urls: ReadonlyMap<string, string>): string =>
  frames
    .map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
      const place = `${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`
      return { isOurs: place.startsWith('file:'), text: `${functionName || 'a function'} (${place})` }
    })
    .filter(({ isOurs }) => isOurs)
    .slice(0, FRAMES)
    .map(({ text }) => sourceStack(text))
    .join(' < ')
