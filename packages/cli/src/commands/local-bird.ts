// `rookery local-bird`, which `rookery up` runs: not for people, and not listed.
import type { Command } from 'commander'
import { LOCAL_BIRD_COMMAND } from '../local-bird/local-bird.ts'
import { saveBirdsMemory } from '../memory-saver.ts'

export function addLocalBird(program: Command): void {
  program.command(LOCAL_BIRD_COMMAND, { hidden: true }).action(async () => {
    saveBirdsMemory()
    const { runLocalBird } = await import('../local-bird/child.ts')
    await runLocalBird()
  })
}
