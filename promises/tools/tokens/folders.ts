// Kinds that are folders of a file system.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { asSystem } from '../lib/as-system.ts'
import { download, type TokenProof } from './token-proof.ts'

/** What the Explorer expands, and what it would send here. */
const VARIABLES = { USERNAME: 'Jane.Doe', COMPUTERNAME: 'PC7', USERDOMAIN: 'CORP' }

/** The host of a path, as the Explorer expands it. */
function expandedHost(path: string): string {
  const [, , host = ''] = path.split('\\')
  return Object.entries(VARIABLES).reduce((text, [name, value]) => text.replace(`%${name}%`, value), host)
}

/** Looks the host up as a client of its share does. */
async function openShare(host: string): Promise<void> {
  await asSystem(['smbclient', '-s', '/dev/null', '-N', '-c', 'ls', `//${host}/share`])
}

const byUser = (host: string) => ({
  user: 'jane.doe',
  computer: 'pc7',
  domain: 'corp',
  qname: host.toLowerCase(),
})

/** Files that are planted instead of a folder: what each names, as a program that knows its format says. */
const file = (
  form: string,
  reader: string,
  command: (path: string) => readonly [string, ...string[]],
  path: RegExp,
  fieldsOf: (host: string) => Readonly<Record<string, unknown>> = byUser,
): TokenProof => ({
  kind: 'os-dir',
  program: `structure only (Explorer), ${form}; ${reader}, smbclient`,
  needs: [reader, 'smbclient', 'unbound'],
  settings: { os_dir_file: form },
  logtype: '16006',
  async fire(planted, deps) {
    const [program, ...args] = command(await download(planted, deps, `planted.${form}`))
    const { stdout, stderr } = await run(program, args)
    const [, found] = path.exec(stdout) ?? []
    assert.equal(found, planted.renders['unc'], stdout + stderr)
    const host = expandedHost(found ?? '')
    await openShare(host)
    return fieldsOf(host)
  },
})

const READ_INI = `
import configparser, sys
file = configparser.ConfigParser(interpolation=None)
file.read(sys.argv[1])
print(file['InternetShortcut']['IconFile'])`

export const folders: readonly TokenProof[] = [
  {
    kind: 'os-dir',
    program: 'structure only (Explorer); smbclient',
    needs: ['zipinfo', 'unzip', 'iconv', 'smbclient', 'unbound'],
    logtype: '16006',
    async fire(planted, deps) {
      const archive = await download(planted, deps, 'folder.zip')
      const listed = await run('zipinfo', [archive])
      assert.match(listed.stdout, /^d.{5}s .* fat .*\/$/m, 'a system folder')
      assert.match(listed.stdout, /^-rw-ahs .* fat .*\/desktop\.ini$/m, 'a hidden system file')
      const target = join(deps.folder, 'unpacked')
      const unpacked = await run('sh', [
        '-c',
        `unzip -q '${archive}' -d '${target}' && iconv -f UTF-16 -t UTF-8 '${target}'/*/desktop.ini`,
      ])
      const [, path = ''] = /^IconResource=(.*\.(?:dll|icl|ico)),0\r$/m.exec(unpacked.stdout) ?? []
      assert.equal(path, planted.renders['unc'], unpacked.stdout + unpacked.stderr)
      const host = expandedHost(path)
      await openShare(host)
      return byUser(host)
    },
  },
  file('lnk', 'lnkinfo', (path) => ['lnkinfo', path], /Environment variables location\s*:\s*(\S+)/),
  file('url', 'python3', (path) => ['python3', '-c', READ_INI, path], /^(\S+)$/m),
  file(
    'library-ms',
    'xmllint',
    (path) => ['xmllint', '--xpath', '//*[local-name()="url"]/text()', path],
    /^(\S+)$/m,
    (host) => ({ qname: host, qtype: 'A', src_host_is_resolver: true }),
  ),
]
