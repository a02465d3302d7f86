// Our decoys in a process of their own, next to the real server that one of them is compared with.
import { join } from 'node:path'
import type { CrashCount } from './crash-watch.ts'
import { ourHost } from './real-server.ts'
import { startProgram, type Place, type RunningProgram } from './real-servers.ts'

interface RunningDecoys extends RunningProgram {
  /** How often a session threw. Rejects when the process itself is gone. */
  readonly crashes: () => Promise<CrashCount>
}

/** `settings` as `serve.ts` takes them; resolves once the port takes connections. */
export async function startDecoys(
  settings: readonly string[],
  port: number,
  transport?: Place['transport'],
): Promise<RunningDecoys> {
  const host = ourHost(transport)
  const running = await startProgram(
    process.execPath,
    [join(import.meta.dirname, 'serve.ts'), ...settings],
    { ...process.env, DECOYS_QUIET: '1', DECOYS_BIND: host },
    { host, port, transport },
    ['ipc'],
  )
  const { child } = running
  const pending = new Map<number, PromiseWithResolvers<CrashCount>>()
  let asked = 0
  child.on('message', ({ id, ...count }: CrashCount & { id: number }) => {
    pending.get(id)?.resolve(count)
    pending.delete(id)
  })
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error(`The decoys ended: ${running.said()}`))
  })
  return {
    ...running,
    crashes() {
      if (!child.connected) throw new Error(`The decoys ended: ${running.said()}`)
      const answer = Promise.withResolvers<CrashCount>()
      pending.set((asked += 1), answer)
      child.send(asked)
      return answer.promise
    },
  }
}
