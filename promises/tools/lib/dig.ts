// Asks a server of this machine for a name.
import { run } from './command.ts'

export const dig = (port: number, ...args: string[]) =>
  run('dig', ['+time=5', '+tries=1', '+short', '-p', `${port}`, '@127.0.0.1', ...args])
