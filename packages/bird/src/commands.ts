// Commands of the console: each is carried out once, however often it is sent; its result is on the disk before.
import { limit } from '@rookery/kernel/limit.ts'
import type { Body, CommandKind } from '@rookery/link/messages.ts'
import type { StateFile } from './state-file.ts'

/** Results of commands that a Bird remembers, so that a repeated command is not done twice. */
const RESULTS = limit('bird_command_results', 50)

export interface CommandResult {
  readonly ok: boolean
  readonly detail: string
  /** Called once the result is sent. */
  readonly afterwards?: () => void
}

export type Commands = Readonly<Record<CommandKind, () => Promise<CommandResult>>>

/** Carries a command out, unless that was done before, and hands its result to `answer`. */
export type RunCommand = (command: Body<'CMD'>, answer: (result: Body<'CMD_RESULT'>) => void) => Promise<void>

export function commandRunner(commands: Commands, stateFile: StateFile): RunCommand {
  return async ({ id, kind }, answer) => {
    const { results = [] } = stateFile.values
    const earlier = results.find((result) => result.id === id)
    if (earlier) return answer(earlier)
    const { ok, detail, afterwards } = await run(commands, kind)
    const result = { id, ok, detail: detail.slice(0, 500) }
    remember(stateFile, result)
    answer(result)
    afterwards?.()
  }
}

const run = async (commands: Commands, kind: string): Promise<CommandResult> =>
  Object.hasOwn(commands, kind)
    ? commands[kind as CommandKind]()
    : { ok: false, detail: `this Bird does not know the command ${kind}` }

function remember(stateFile: StateFile, result: Body<'CMD_RESULT'>): void {
  const results = [...(stateFile.values.results ?? []), result]
  if (results.length > RESULTS.max) RESULTS.hit()
  stateFile.update({ results: results.slice(-RESULTS.max) })
}
