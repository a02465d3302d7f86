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

export interface RunningCommand {
  said(): string
  /** Ctrl-C, and waits for the end. */
  interrupt(): Promise<void>
}

/** Runs a command in a terminal of its own (`script` of util-linux makes one), so that Ctrl-C reaches what it reaches for a person. */
export function runOn(command: string, cwd: string, env: NodeJS.ProcessEnv): RunningCommand {
  const child = spawn('script', ['-q', '-e', '-c', command, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stdin.on('error', () => undefined)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    said: () => plain(text),
    async interrupt() {
      child.stdin.write('\x03')
      await Promise.race([gone, tooLate(command)])
    },
  }
}

const tooLate = async (command: string): Promise<never> => {
  await wait(10_000)
  throw new Error(`${command} goes on 10 s after Ctrl-C.`)
}

/** Without what moves the cursor and colours. */
const plain = (text: string): string => text.replace(/\x1b\[[0-9;?]*[A-Za-z]|\r/g, '')
