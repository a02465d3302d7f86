// The `rookery` command.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { explain, isExplained } from './explain.ts'
import { buildProgram, isCommand } from './program.ts'
import { sourceStack } from './source-stack.ts'

// Files and folders of every command are for their owner alone.
process.umask(0o077)
const [, , name = ''] = process.argv
// A bundle of megabytes is compiled once, and not at each start: what its compilation frees, the C library keeps (decision 0027).
// V8 takes no code that was compiled under other flags, and Birds set some: what each command loads is kept apart.
if (import.meta.url.endsWith('.mjs'))
  enableCompileCache(join(import.meta.dirname, 'compiled', isCommand(name) ? name : ''))

try {
  await (await buildProgram(name)).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    process.stderr.write(`${explain(error)}\n`)
    if (!isExplained(error)) process.stderr.write(`${sourceStack((error as Error).stack ?? '')}\n`)
    process.exitCode = 1
    process.exit()
  }
}
