// `rookery release`, as docs/updates.md shows it.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { engines } from '@rookery/console/test/test-console.ts'
import { newFolder, rookery, type Ended } from './run-rookery.ts'
import { servedDatabase } from './served-database.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/updates.md'), 'utf8')
/** Its commands but those for a console that serves (fleet-update.test.ts), in their order. */
const commands = Array.from(page.matchAll(/^(?:npx )?rookery ((?:release|package) .+)$/gm), ([, line = '']) =>
  line.split(' '),
)

/** Runs a command in a folder: its paths are those of the page. */
const within = (
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  rookery(
    args.map((arg) =>
      /^(keys|packages|releases)(\/|$)/.test(arg)
        ? join(folder, arg)
        : arg.replace('/var/tmp', join(folder, 'releases')),
    ),
    env,
  )

/** The data archive of a package, the last member of an ar archive. */
const dataOf = (deb: Buffer): Buffer => deb.subarray(deb.indexOf('data.tar.zst') + 60)

describe.each(engines)('the commands of docs/updates.md (%s)', (engine) => {
  it('make a key, a package with it, the same archive twice, a signature, and a release of the console', async () => {
    const { env } = await servedDatabase(engine)
    const folder = newFolder()
    const said: string[] = []
    for (const args of commands) {
      const { code, stdout, stderr } = await within(folder, args, env)
      expect([code, stderr], args.join(' ')).toEqual([0, ''])
      said.push(stdout.trim())
    }
    const archive = join(folder, 'releases/rookery-bird-3.1.0.tar.zst')
    expect(statSync(join(folder, 'keys/release-key.pem')).mode & 0o777).toBe(0o600)
    expect(said[2]).toBe(archive)
    expect(said.at(-1)).toMatch(new RegExp(`^${said.at(-2)}  3\\.1\\.0 +41$`))
    const [, deb = ''] = said
    const keys = readFileSync(join(folder, 'keys/release-keys.json'), 'utf8')
    expect(zstdDecompressSync(dataOf(readFileSync(deb))).includes(keys)).toBe(true)
    const again = newFolder()
    await rookery(['release', 'build', '--version', '3.1.0', '--output', again])
    expect(readFileSync(join(again, 'rookery-bird-3.1.0.tar.zst')).equals(readFileSync(archive))).toBe(true)
  }, 480_000)
})

it('the page is not empty of commands', () => {
  expect(commands.map(([, name]) => name)).toEqual(['keygen', 'deb', 'build', 'sign', 'add', 'list'])
})

describe('rookery release', () => {
  it('never replaces a private key, and lists three keys at most', async () => {
    const keys = newFolder()
    const keygen = (): Promise<Ended> => rookery(['release', 'keygen', '--output', keys])
    const pem = join(keys, 'release-key.pem')
    expect((await keygen()).code).toBe(0)
    const first = readFileSync(pem, 'utf8')
    expect(await keygen()).toMatchObject({
      code: 1,
      stderr: `${pem} exists, and a private key is never replaced. Move it away first.\n`,
    })
    expect(readFileSync(pem, 'utf8')).toBe(first)
    const list = join(keys, 'release-keys.json')
    const [key] = JSON.parse(readFileSync(list, 'utf8')) as object[]
    writeFileSync(list, JSON.stringify([key, key, key]))
    expect((await keygen()).stderr).toContain('has 3 keys; 3 are the most')
  })

  it('says what is wrong with what it is given', async () => {
    const folder = newFolder()
    const file = join(folder, 'a.tar.zst')
    writeFileSync(file, 'no archive')
    const sign = ['release', 'sign', file, '--key', file, '--seq']
    expect((await rookery([...sign, 'x'])).stderr).toMatch(
      /a\.tar\.zst cannot be used: its archive is no zstd/,
    )
    expect((await rookery(['release', 'build', '--version', '3'])).stderr).toBe(
      '--version is "3"; it must be three numbers, such as 3.1.0.\n',
    )
    expect((await rookery(['release', 'build', '--sources', folder, '--output', folder])).stderr).toContain(
      'it must be a clone of Rookery',
    )
    expect((await rookery(['release', 'add', join(folder, 'none.tar.zst')])).stderr).toContain(
      'none.manifest.json does not exist.',
    )
    expect((await rookery(['release', 'add', join(folder, 'none.zip')])).stderr).toContain(
      'its name must end in .tar.zst',
    )
    writeFileSync(join(folder, 'a.manifest.json'), Buffer.alloc(10_000_000))
    expect((await rookery(['release', 'add', file])).stderr).toContain(
      'a.manifest.json has 10000000 bytes; 65536 are the most.',
    )
  })
})
