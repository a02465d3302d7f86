// Terminals as a reader of the page has them: one shell that keeps its variables, and one where something runs on.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from './until.ts'

/** Faster than anybody types. */
const TYPING_MS = 250

export interface Terminal {
  /** Types a command and answers all that it printed. */
  type(command: string): Promise<string>
}

export function openTerminal(cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  shell.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  shell.stdin.write('exec 2>&1\n')
  return {
    async type(command) {
      await wait(TYPING_MS)
      const mark = `end-${randomUUID()}`
      text = ''
      shell.stdin.write(`${command}\necho ${mark}\n`)
      const end = await until(`the end of ${command}`, () => found(text.indexOf(mark)), 30_000)
      return text.slice(0, end)
    },
  }
}

const found = (at: number): number | undefined => (at < 0 ? undefined : at)

export interface Running {
  said(): string
  /** Ctrl-C, and waits for the end. */
  interrupt(): Promise<void>
}

export function runOn(command: string, cwd: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn('bash', ['-c', `exec ${command.replace(/^((?:\w+=\S+ )+)/, 'env $1')} 2>&1`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    said: () => text,
    interrupt() {
      child.kill('SIGINT')
      return gone
    },
  }
}
