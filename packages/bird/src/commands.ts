// Commands of the console: each is done once, however often it is sent, and its result is on the disk before it is done.
import type { Body } from '@rookery/link/messages.ts'
import type { Commands } from './bird.ts'
import type { Remembered } from './memory.ts'

const REMEMBERED = 50

export function commandRunner(commands: Commands, memory: Remembered) {
  return async ({ id, kind }: Body<'CMD'>, answer: (result: Body<'CMD_RESULT'>) => void): Promise<void> => {
    const known = memory.is.results?.find((result) => result.id === id)
    if (known) return answer(known)
    const command = Object.hasOwn(commands, kind) ? commands[kind as keyof Commands] : undefined
    const { ok, detail, afterwards } = command
      ? await command()
      : { ok: false, detail: `this Bird does not know the command ${kind}`, afterwards: undefined }
    const result = { id, ok, detail: detail.slice(0, 500) }
    memory.remember({ results: [...(memory.is.results ?? []), result].slice(-REMEMBERED) })
    answer(result)
    afterwards?.()
  }
}
