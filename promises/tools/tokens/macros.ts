// Kinds that are documents with macros: opened by LibreOffice with macros on.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

/** What Windows has in the environment of each program. */
const ENVIRONMENT = { USERNAME: 'jane', COMPUTERNAME: 'PC7', USERDOMAIN: 'CORP' }
/** Without it, as in Debian's packages without a screen, Calc fails as soon as it shows a workbook, and runs no macro. */
const CALC = '/usr/lib/libreoffice/share/config/soffice.cfg/modules/scalc/ui/posbox.ui'
const needs = [...['soffice', 'unzip', 'python3-uno'], ...(existsSync(CALC) ? [] : ['libreoffice-calc'])]

async function openWithMacros(
  planted: Planted,
  deps: FiringDeps,
  ending: string,
  macros: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const file = await download(planted, deps, `macros.${ending}`)
  const { stdout } = await run('unzip', ['-t', file])
  assert.match(stdout, /vbaProject\.bin\s+OK/)
  const script = join(import.meta.dirname, '../lib/open-with-macros.py')
  // A profile of its own: the one before may not have ended yet.
  const env = { PATH: process.env['PATH'], HOME: join(deps.folder, ending), ...ENVIRONMENT }
  const opened = await run('/usr/bin/python3', [script, file, ...macros], { env, patienceMs: 60_000 })
  assert.match(opened.stdout, /opened/, opened.stderr)
  return { user: 'jane', computer: 'PC7', domain: 'CORP' }
}

export const macros: readonly TokenProof[] = [
  {
    kind: 'spreadsheet-macro',
    program: 'structure only (Excel); LibreOffice',
    needs,
    logtype: '16010',
    fire: (planted, deps) => openWithMacros(planted, deps, 'xlsm', []),
  },
  {
    kind: 'wordproc-macro',
    program: 'structure only (Word); LibreOffice, called',
    needs,
    logtype: '16009',
    fire: (planted, deps) => openWithMacros(planted, deps, 'docm', ['VBAProject.ThisDocument.Document_Open']),
  },
]
