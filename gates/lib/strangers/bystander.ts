// A bare server next to the console, in a process of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export async function startBystander() {
  const child = fork(join(import.meta.dirname, 'bystander.child.ts'))
  const [port] = (await once(child, 'message')) as [number]
  return { port, [Symbol.dispose]: () => void child.kill() }
}
