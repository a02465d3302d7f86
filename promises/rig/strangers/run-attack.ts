// An attack in a process of its own.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { AttackJob } from './attack.child.ts'

/** Answers how much it did. */
export function runAttack(job: AttackJob): Promise<number> {
  const child = fork(join(import.meta.dirname, 'attack.child.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (done: number) => resolve(done))
    child.once('exit', (code) => reject(new Error(`The attack ended with ${code}.`)))
    child.send(job)
  })
}
