// Where this machine's own apt gets Debian from: an image is made of the same sources.
import { readFileSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import { KEYRING } from './programs.ts'
import { runProgram } from './run-program.ts'

export interface DebianSources {
  /** Such as `bookworm`. */
  readonly codename: string
  /** Lines of a sources.list. */
  readonly lines: readonly string[]
}

const FIELDS = `$(CODENAME) deb [signed-by=${KEYRING}] $(REPO_URI) $(RELEASE) $(COMPONENT)`

/** Those of Debian itself, of the release that this machine runs, with its updates. Throws `bad-input` where there is none. */
export async function debianSources(): Promise<DebianSources> {
  const [, codename = ''] =
    /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  const listed = await runProgram([
    'apt-get',
    'indextargets',
    '--format',
    FIELDS,
    'Created-By: Packages',
    'Origin: Debian',
  ])
  const lines = listed.split('\n').flatMap((line) => {
    const [, release = '', source = ''] = /^(\S*) (deb .*)$/.exec(line) ?? []
    const isOwn = [codename, `${codename}-updates`, `${codename}-security`].includes(release)
    return isOwn ? [source] : []
  })
  if (codename !== '' && lines.length > 0) return { codename, lines: [...new Set(lines)] }
  throw new Fault(
    'bad-input',
    `apt has no sources of Debian ${codename} on this machine. An image is built on Debian, after: apt-get update`,
  )
}

/** How apt reaches them: proxies, and what it asks of the lists. */
export async function aptOptions(): Promise<readonly string[]> {
  const dumped = await runProgram(['apt-config', 'dump', 'Acquire'])
  return dumped.split('\n').filter((line) => /^Acquire::(?:https?::|Check-|Retries).* ".+";$/.test(line))
}
