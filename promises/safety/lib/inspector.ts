// A look inside a running console by Node's own inspector: what is garbage by chance is thrown away before it is weighed.
import { WebSocket } from 'ws'

/** For `startConsole`: the inspector on a port of its own. */
export const INSPECTED = ['--inspect=127.0.0.1:0']

export interface Inspector {
  /** Collects garbage, and answers what is left on the heap, MB. */
  heapMb(): Promise<number>
  close(): void
}

/** `said`: what the console printed when it started. */
export async function inspect(said: string): Promise<Inspector> {
  const [, url] = /Debugger listening on (ws:\S+)/.exec(said) ?? []
  if (url === undefined) throw new Error(`The console names no inspector:\n${said}`)
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => socket.once('open', () => resolve()).once('error', reject))
  socket.on('error', () => undefined)
  let last = 0
  const ask = (method: string): Promise<{ usedSize?: number }> =>
    new Promise((resolve) => {
      const id = ++last
      const hear = (data: Buffer): void => {
        const message = JSON.parse(data.toString()) as { id?: number; result?: { usedSize?: number } }
        if (message.id !== id) return
        socket.off('message', hear)
        resolve(message.result ?? {})
      }
      socket.on('message', hear)
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    async heapMb() {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = Number.NaN } = await ask('Runtime.getHeapUsage')
      return usedSize / 1024 / 1024
    },
    close: () => socket.close(),
  }
}
