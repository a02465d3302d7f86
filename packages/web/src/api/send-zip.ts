// Sends the zip of a job to the console, and says how far it is: `fetch` does not.
import { Problem, problemOf } from '../problem.ts'

interface Job {
  readonly url?: string
  readonly password?: string
}

interface How {
  readonly onProgress: (bytes: number) => void
  readonly signal: AbortSignal
}

/**
 * The job says its address under the console's public name; the page sends to the console that it came from.
 * Rejects with a `Problem`, and with the signal's reason once that is aborted.
 */
export function sendZip(
  { url = '', password = '' }: Job,
  file: File,
  { onProgress, signal }: How,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', new URL(url).pathname)
    request.setRequestHeader('Authorization', `Basic ${btoa(`upload:${password}`)}`)
    request.setRequestHeader('Content-Type', 'application/zip')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else reject(problemOf(new Response(null, { status: request.status }), bodyOf(request.responseText)))
    })
    request.addEventListener('error', () =>
      reject(new Problem('not-connected', 'The console does not answer.')),
    )
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function bodyOf(text: string): object | undefined {
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
