// The users of a machine.
import { draw, type Derive } from './draw.ts'

const FIRST_NAMES = ['anna', 'john', 'maria', 'peter', 'laura', 'thomas', 'julia', 'david', 'sarah', 'martin']
const LAST_NAMES = ['berg', 'clark', 'evans', 'fischer', 'hall', 'keller', 'moore', 'novak', 'reed', 'weber']
const PROGRAMS = ['backup', 'scanner', 'svc_sql', 'sync']

/** Login names: two to four people, and an account for a program. */
export function machineUsers(derive: Derive): readonly string[] {
  const { pick, between } = draw(derive, 'machine/users')
  const people = Array.from({ length: between(2, 4) }, () => `${pick(FIRST_NAMES)}.${pick(LAST_NAMES)}`)
  return [...new Set([...people, pick(PROGRAMS)])]
}
