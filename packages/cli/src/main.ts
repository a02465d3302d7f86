// The `rookery` command.
import { CommanderError } from 'commander'
import { explain, isExplained } from './explain.ts'
import { buildProgram } from './program.ts'
import { sourceStack } from './source-stack.ts'

// Files and folders of every command are for their owner alone.
process.umask(0o077)

try {
  await buildProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    process.stderr.write(`${explain(error)}\n`)
    if (!isExplained(error)) process.stderr.write(`${sourceStack((error as Error).stack ?? '')}\n`)
    process.exitCode = 1
    process.exit()
  }
}
