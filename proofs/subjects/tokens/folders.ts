// Kinds that are folders of a file system.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { run } from '../../lib/command.ts'
import { asSystem } from '../../lib/as-system.ts'
import { download, type TokenProof } from './token-proof.ts'

/** What the Explorer expands, and what it would send here. */
const VARIABLES = { USERNAME: 'Jane.Doe', COMPUTERNAME: 'PC7', USERDOMAIN: 'CORP' }

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
      const path = /^IconResource=\\\\([^\\]*)\\[a-z]+\.(?:dll|icl|ico),0\r$/m.exec(unpacked.stdout)?.[1]
      assert.ok(path !== undefined, unpacked.stdout + unpacked.stderr)
      const host = Object.entries(VARIABLES).reduce(
        (text, [name, value]) => text.replace(`%${name}%`, value),
        path,
      )
      await asSystem(['smbclient', '-s', '/dev/null', '-N', '-c', 'ls', `//${host}/share`])
      return { user: 'jane.doe', computer: 'pc7', domain: 'corp', qname: host.toLowerCase() }
    },
  },
]
