// Our decoys in a process of their own, next to the real server that one of them is compared with.
import { join } from 'node:path'
import { startProgram, type RunningProgram } from './real-servers.ts'

export const OUR_HOST = '127.0.0.1'

/** `settings` as `serve.ts` takes them; resolves once the port takes connections. */
export const startDecoys = (settings: readonly string[], port: number): Promise<RunningProgram> =>
  startProgram(
    process.execPath,
    [join(import.meta.dirname, 'serve.ts'), ...settings],
    { ...process.env, DECOYS_QUIET: '1', DECOYS_BIND: OUR_HOST },
    { host: OUR_HOST, port },
  )
