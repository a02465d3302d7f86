// Runs a program of the system with the PATH of the system, not with what npm or a version manager puts before it.
import { run, type Ran } from './command.ts'

/** Where programs of the system lie. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export const asSystem = (
  [program = '', ...args]: readonly string[],
  { path = SYSTEM_PATH }: { readonly path?: string } = {},
): Promise<Ran> => run(program, args, { env: { ...process.env, PATH: path } })
