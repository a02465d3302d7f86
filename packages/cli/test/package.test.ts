// `rookery package deb`: what Debian's own tools say of the packages.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { OPTIONS } from '@rookery/console/config/options.ts'
import { newFolder, rookery } from './run-rookery.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
const hasDpkg = has('dpkg-deb')
const hasAnalyze = has('systemd-analyze')
if (!hasDpkg) process.stderr.write('dpkg-deb is not installed: what is in the packages is not looked at.\n')
if (!hasAnalyze) process.stderr.write('systemd-analyze is not installed: the units are not judged.\n')

/** Of the Bird, as design asks; the console's is the same. */
const MAX_EXPOSURE = 2.5

async function build(what: string, folder: string): Promise<string> {
  const { stdout, code, stderr } = await rookery(['package', 'deb', what, '--out', folder])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim()
}

const scratch = mkdtempSync(join(tmpdir(), 'rookery-package-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Each of a hundred megabytes is compressed: once for all tests but one. */
const packages = new Map<string, Promise<string>>()
function packageOf(what: string): Promise<string> {
  const made = packages.get(what) ?? build(what, scratch)
  packages.set(what, made)
  return made
}

async function unpacked(what: string): Promise<string> {
  const root = join(scratch, what)
  if (!existsSync(root)) execFileSync('dpkg-deb', ['-x', await packageOf(what), root])
  return root
}

describe.each(['console', 'bird'])('the package of the %s', (what) => {
  it('is the same, byte for byte, when it is built twice, and everybody may read it', async () => {
    const again = await build(what, newFolder())
    expect(readFileSync(again).equals(readFileSync(await packageOf(what)))).toBe(true)
    expect(statSync(again).mode & 0o777).toBe(0o644)
  })

  it.skipIf(!hasDpkg)('installs a program that runs without the clone, owned by root', async () => {
    const list = execFileSync('dpkg-deb', ['-c', await packageOf(what)], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
    expect(list.filter((line) => !line.includes(' root/root '))).toEqual([])
    const program = join(await unpacked(what), 'usr/lib', what === 'bird' ? 'rookery-bird' : 'rookery')
    const main = join(program, 'app', what === 'bird' ? 'rookery-bird.mjs' : 'rookery.mjs')
    const said = execFileSync(join(program, 'bin/node'), [main, '--version'])
    expect(said.toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
    // The one native library, as the program finds it.
    const load =
      "import('koffi').then(({ default: c }) => process.stdout.write(typeof c.load('libc.so.6').func))"
    const seen = execFileSync(join(program, 'bin/node'), ['-e', load], { cwd: join(program, 'app') })
    expect(seen.toString()).toBe('function')
    expect(readdirSync(join(program, 'app/skins'))).toContain('nas')
  })

  it.skipIf(!hasDpkg || !hasAnalyze)('has a unit with little more rights than it needs', async () => {
    const name = what === 'bird' ? 'rookery-bird.service' : 'rookery.service'
    const unit = join(await unpacked(what), 'usr/lib/systemd/system', name)
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE)
  })
})

it.skipIf(!hasDpkg)(
  "the console's configuration has every option with its sentence, and sets none",
  async () => {
    const conf = readFileSync(join(await unpacked('console'), 'usr/lib/rookery/console.conf'), 'utf8')
    expect(conf.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    const served = Object.entries(OPTIONS).filter(
      ([name]) => !/DATA_DIR|LOCAL_BIRD|BIRD_(BIND|PORT|IP)/.test(name),
    )
    for (const [name, { title, secret }] of served) {
      expect(conf).toContain(`# ${title}`)
      expect(conf).toContain(secret ? `\n#${name}_FILE=/run/credentials/` : `\n#${name}=`)
    }
  },
)

it('a wrong revision is refused with its value', async () => {
  const { code, stderr } = await rookery([
    'package',
    'deb',
    'console',
    '--out',
    newFolder(),
    '--revision',
    '1.2',
  ])
  expect([code, stderr]).toEqual([1, '--revision must be a whole number from 1, not "1.2".\n'])
})
