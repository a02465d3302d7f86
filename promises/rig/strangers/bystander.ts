// A bare server next to the console, in a process of its own, with a file on the same disk.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freshFolder, removeFolder } from '../folder.ts'

export async function startBystander() {
  const folder = freshFolder()
  const child = fork(join(import.meta.dirname, 'bystander.child.ts'), [folder])
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    [Symbol.dispose]() {
      child.kill()
      removeFolder(folder)
    },
  }
}
