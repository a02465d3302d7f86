// Kinds that developers leave behind: used by the programs of developers.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../lib/command.ts'
import { dig } from '../lib/dig.ts'
import { SYSTEM_PATH, asSystem } from '../lib/as-system.ts'
import { download, type Planted, type TokenProof } from './token-proof.ts'

const mongoNeeds = ['python3-pymongo', 'python3-dnspython']

/** Nothing else configures the program. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: SYSTEM_PATH,
  HOME: home,
  GIT_TERMINAL_PROMPT: '0',
})

/** `npm` with the file as that of a user. Its first request may ask for a newer npm. */
const npm = (command: readonly string[], settings = {}): TokenProof => ({
  kind: 'npmrc',
  program: `npm ${command[0]}`,
  needs: ['npm'],
  settings,
  logtype: '17901',
  async fire(planted, deps) {
    const home = join(deps.folder, `npm-${planted.id}`)
    mkdirSync(home)
    await download(planted, deps, join(`npm-${planted.id}`, '.npmrc'))
    const { code, stderr } = await run('npm', command, { env: environment(home), cwd: home })
    assert.notEqual(code, 0)
    assert.match(stderr, /code E401[^]*your authentication token seems to be invalid/)
    return { method: 'GET', request: /^\//, command: command[0], key_used: true, useragent: /^npm\// }
  },
})

/** Google's package has one for each version, behind a program that asks the server for its version first. */
function kubectlPath(): string {
  const folder = '/usr/lib/google-cloud-sdk/bin'
  const versions = existsSync(folder) ? readdirSync(folder).filter((it) => /^kubectl\.1\.\d+$/.test(it)) : []
  const last = versions.sort().at(-1)
  return last === undefined ? 'kubectl' : join(folder, last)
}

interface KubectlCase {
  readonly program: string
  readonly command: readonly string[]
  /** What it changes in the file first. */
  readonly configure?: (planted: Planted) => readonly string[]
  readonly said: RegExp
  readonly fields: Readonly<Record<string, unknown>>
}

const kubectl = ({ program, command, configure, said, fields }: KubectlCase): TokenProof => ({
  kind: 'kubeconfig',
  program,
  needs: ['kubectl'],
  logtype: '17902',
  async fire(planted, deps) {
    const file = await download(planted, deps, `${planted.id}.kubeconfig`)
    const env = { ...environment(join(deps.folder, `kube-${planted.id}`)), KUBECONFIG: file }
    if (configure) await run(kubectlPath(), configure(planted), { env })
    const { stdout, stderr } = await run(kubectlPath(), command, { env })
    assert.match(stdout + stderr, said)
    return { ...fields, useragent: /^kubectl/ }
  },
})

function byHttps({ renders }: Planted): readonly string[] {
  const { pathname } = new URL(renders['server'] ?? '')
  const server = `--server=https://127.0.0.1${pathname}`
  return ['config', 'set-cluster', 'production', server, '--insecure-skip-tls-verify=true']
}

const REFUSED = /must be logged in to the server/

export const developers: readonly TokenProof[] = [
  npm(['whoami']),
  npm(['install', 'left-pad']),
  npm(['view', '@corp/billing'], { npm_scope: 'corp' }),
  kubectl({
    program: 'kubectl get pods',
    command: ['get', 'pods'],
    said: REFUSED,
    fields: { method: 'GET', request: '/api', key_used: false },
  }),
  kubectl({
    program: 'kubectl version',
    command: ['version'],
    said: /Server Version: .*v1\.28\.2/,
    fields: { method: 'GET', request: '/version', key_used: false },
  }),
  kubectl({
    program: 'kubectl by HTTPS',
    command: ['auth', 'can-i', '--list'],
    configure: byHttps,
    said: REFUSED,
    fields: { key_used: true },
  }),
  {
    kind: 'git-remote',
    program: 'git fetch',
    needs: ['git'],
    logtype: '17903',
    async fire(planted, deps) {
      const env = environment(deps.folder)
      const copy = join(deps.folder, 'working-copy')
      await run('git', ['init', '-q', copy], { env })
      copyFileSync(await download(planted, deps, 'git-config'), join(copy, '.git', 'config'))
      const { code, stderr } = await run('git', ['-C', copy, 'fetch'], { env })
      assert.notEqual(code, 0)
      assert.match(stderr, /Authentication failed for 'http/)
      return { service: 'git-upload-pack', key_used: true, username: /^[a-z-]+$/, useragent: /^git\// }
    },
  },
  {
    kind: 'git-remote',
    program: 'git ls-remote',
    needs: ['git'],
    logtype: '17903',
    async fire({ renders }, { folder }) {
      const { stderr } = await run('git', ['ls-remote', renders['url'] ?? ''], { env: environment(folder) })
      assert.match(stderr, /could not read Username/)
      return { request: '/infrastructure.git/info/refs', service: 'git-upload-pack', useragent: /^git\// }
    },
  },
  {
    kind: 'mongodb-srv',
    program: 'PyMongo',
    needs: [...mongoNeeds, 'unbound'],
    logtype: '16901',
    async fire(planted, deps) {
      const text = readFileSync(await download(planted, deps, 'planted.env'), 'utf8')
      const uri = /^MONGODB_URI=(.*)$/m.exec(text)?.[1] ?? ''
      const script = join(import.meta.dirname, '../lib/connect-by-srv.py')
      const { stdout, stderr } = await asSystem(['/usr/bin/python3', script, uri])
      assert.match(stdout, /The DNS query name does not exist/, stderr)
      return { by_driver: true, qname: `_mongodb._tcp.${planted.hostname}`, qtype: 'SRV' }
    },
  },
  {
    kind: 'mongodb-srv',
    program: 'dig TXT',
    needs: ['dig'],
    logtype: '16901',
    async fire({ hostname }, { console }) {
      await dig(console.dnsPort, hostname, 'TXT')
      return { by_driver: false, qtype: 'TXT', qname: hostname }
    },
  },
]
