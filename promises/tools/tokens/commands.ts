// Kinds that programs of a command line fire.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { dig } from '../lib/dig.ts'
import { SYSTEM_PATH, asSystem } from '../lib/as-system.ts'
import { download, type TokenProof } from './token-proof.ts'

export const commands: readonly TokenProof[] = [
  {
    kind: 'sensitive-cmd',
    program: 'structure only (PowerShell); dig through unbound',
    needs: ['dig', 'unbound', 'iconv'],
    settings: { process_name: 'klist.exe, nltest.exe' },
    logtype: '16011',
    async fire(planted, deps) {
      const { hostname, renders } = planted
      const { resolverPort } = deps
      const file = await download(planted, deps, 'planted.reg')
      const { stdout } = await run('iconv', ['-f', 'UTF-16', '-t', 'UTF-8', file])
      assert.equal(stdout, renders['windows'])
      for (const type of ['A', 'AAAA'])
        await dig(resolverPort, `cDB1.UN.uroot.CMD.abcdefgh-1.${hostname}`, type)
      return { computer: 'db1', user: 'root', process: 'nltest.exe', invocation_id: 'abcdefgh' }
    },
  },
  {
    kind: 'sensitive-cmd',
    program: 'sh',
    needs: ['getent', 'unbound'],
    settings: { process_name: 'whoami' },
    logtype: '16011',
    async fire({ renders }, { folder }) {
      const planted = join(folder, 'planted')
      mkdirSync(planted)
      writeFileSync(join(planted, 'whoami'), renders['linux'] ?? '', { mode: 0o755 })
      const { stdout } = await asSystem(['whoami'], { path: `${planted}:${SYSTEM_PATH}` })
      assert.equal(stdout.trim(), userInfo().username, 'the program itself ran')
      return { user: stdout.trim(), process: 'whoami' }
    },
  },
  {
    kind: 'svn',
    program: 'svn',
    needs: ['svn', 'svnadmin', 'unbound'],
    logtype: '17010',
    async fire({ renders }, { folder }) {
      const [repository, first, second] = ['repository', 'first', 'second'].map((it) =>
        join(folder, 'svn', it),
      )
      const script = `mkdir -p ${folder}/svn && svnadmin create ${repository} &&
        svn -q checkout file://${repository} ${first} && cd ${first} && ${renders['command']} && svn -q commit -m x &&
        svn checkout file://${repository} ${second} && svn update ${second} && ls ${second}`
      const { code, stdout, stderr } = await asSystem(['sh', '-c', script])
      assert.deepEqual([code, stderr], [0, ''], 'the client noticed something')
      assert.match(stdout, /External at revision \d+\.\n[^]*\nextras\n$/)
      return { method: 'OPTIONS', useragent: /^SVN\// }
    },
  },
]
