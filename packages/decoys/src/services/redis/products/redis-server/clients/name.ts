// Names of connections: printable ASCII without spaces.
import { ErrorReply } from '../arguments.ts'

export function checkName(name: string): string {
  if (/^[!-~]*$/.test(name)) return name
  throw new ErrorReply('ERR Client names cannot contain spaces, newlines or special characters.')
}
