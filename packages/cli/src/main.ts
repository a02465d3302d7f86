// The `rookery` command.
import { CommanderError } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { explain } from './explain.ts'
import { buildProgram } from './program.ts'
import { inSources } from './trace.ts'

try {
  await buildProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    process.stderr.write(`${explain(error)}\n`)
    // A fault is the user's to mend; anything else is ours, and shows where it comes from.
    if (!(error instanceof Fault)) process.stderr.write(`${inSources((error as Error).stack ?? '')}\n`)
    process.exitCode = 1
    process.exit()
  }
}
