// The client as it is published: what is in the package, and that it works for somebody who has nothing else of ours.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { ADMIN, openTestConsole } from '@rookery/console/test/test-console.ts'
import type { openClient } from '@rookery/sdk/client.ts'
import { plantSeed } from '@rookery/console/test/seed.ts'
import { root } from '../clone.mjs'
import { buildSdk } from './build.ts'

const folder = mkdtempSync(join(tmpdir(), 'rookery-sdk-'))
const built = join(folder, 'built')
/** A project of somebody else's, with the package unpacked into it as npm would. */
const project = join(folder, 'project')
const installed = join(project, 'node_modules/@rookery/sdk')
let listed: string[] = []

beforeAll(async () => {
  await buildSdk(built)
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', folder, built], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const said = JSON.parse(packed.stdout) as unknown
  const [{ filename, files }] = (Array.isArray(said) ? said : Object.values(said as object)) as [
    { filename: string; files: { path: string }[] },
  ]
  listed = files.map(({ path }) => path).sort()
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  writeFileSync(join(project, 'package.json'), '{"name":"somebody","type":"module"}\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string): string => readFileSync(join(installed, name), 'utf8')
const example = (): string => /```ts\n([^]*?)```/.exec(read('README.md'))?.[1] ?? ''

describe('the package', () => {
  it('holds the module, its types, its words and its licence, and nothing else', () => {
    expect(listed).toEqual([
      'LICENSE',
      'README.md',
      'api-error.d.ts',
      'client.d.ts',
      'index.d.ts',
      'index.js',
      'index.js.map',
      'package.json',
      'types.d.ts',
    ])
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: '@rookery/sdk', license: 'Apache-2.0' })
    expect(Object.keys(JSON.parse(read('package.json')) as object)).not.toContain('dependencies')
    expect(Object.keys(JSON.parse(read('package.json')) as object)).not.toContain('private')
  })

  it('needs no other package, neither to run nor for its types, and is small', () => {
    const module = read('index.js')
    expect(module).not.toMatch(/\bimport\s*[({"'*\w]|\brequire\s*\(/)
    // What only Node has would not run in a browser.
    expect(module).not.toMatch(/\bnode:|\bprocess\.|\bBuffer\b/)
    expect(module.length).toBeLessThan(64 * 1024)
    for (const name of listed.filter((it) => it.endsWith('.d.ts')))
      for (const [, from] of read(name).matchAll(/from ['"]([^'"]+)['"]/g))
        expect(from).toMatch(/^\.\/[\w-]+\.js$/)
  })

  it('has the types that the sources have', ({ skip }) => {
    skip(isShort)
    const check = join(folder, 'same')
    mkdirSync(join(check, 'node_modules'), { recursive: true })
    for (const scope of ['@rookery', '@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', scope), join(check, 'node_modules', scope))
    writeFileSync(join(check, 'package.json'), '{"type":"module"}\n')
    const types = join(installed, 'types.js')
    writeFileSync(
      join(check, 'same.ts'),
      `import type { Client as Source } from '@rookery/sdk/types.ts'
import type { Client as Published } from '${types}'
type Taken<C> = {
  [G in keyof C]: { [O in keyof C[G]]: C[G][O] extends (...given: infer Given) => unknown ? Given : never }
}
type Fields<C> = {
  [G in keyof C]: {
    [O in keyof C[G]]: C[G][O] extends (...given: never) => Promise<infer Answer> ? keyof Answer : never
  }
}
declare const source: { taken: Taken<Source>; fields: Fields<Source> }
declare const published: { taken: Taken<Published>; fields: Fields<Published> }
export const there: typeof published = source
export const back: typeof source = published
`,
    )
    const said = typeCheck(check, 'same.ts')
    expect(said).toBe('')
  })

  it("shows an example that compiles under a stranger's strictest settings", () => {
    for (const scope of ['@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', scope), join(project, 'node_modules', scope))
    writeFileSync(join(project, 'example.ts'), example())
    expect(typeCheck(project, 'example.ts')).toBe('')
  })
})

function typeCheck(folder: string, file: string): string {
  const args = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2024',
    '--module',
    'nodenext',
  ]
  const more = ['--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node', file]
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...args, ...more],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  return stdout
}

/** Runs a module in the stranger's project; the server it asks lives in this process, so it must not block. */
async function run(
  program: string,
  script: string,
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(program, [script], {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
}

describe('a user who installs it', () => {
  it('runs the example of its page in plain Node, against a real console', async ({ skip }) => {
    skip(isShort)
    const testConsole = await openTestConsole()
    const { incident } = await plantSeed(testConsole)
    // Types are all that the example has of TypeScript: none. It runs as it stands.
    writeFileSync(join(project, 'example.js'), example())
    const { stdout, stderr } = await run(process.execPath, 'example.js', {
      ROOKERY_URL: testConsole.console.apiUrl ?? '',
      ROOKERY_API_KEY: ADMIN,
    })
    expect(stdout).toMatch(
      /^SSH Login Attempt from 192\.0\.2\.7 at nas-02\n(.* from .*\n)*next time from [1-9]\d*\n$/,
    )
    expect(stderr).toMatch(/^404 not-found Flock does not exist\./)
    const { json } = await testConsole.get('/incident/fetch', { incident })
    expect(json['incident']).toMatchObject({ acknowledged: 'True' })
  })

  it('finds every operation in it', async () => {
    const { groups } = await import('@rookery/contract/groups.gen.ts')
    const published = (await import(join(installed, 'index.js'))) as { openClient: typeof openClient }
    const client = published.openClient({ baseUrl: 'http://127.0.0.1:9', key: ADMIN }) as unknown as Record<
      string,
      object
    >
    for (const [name, group] of Object.entries(groups))
      expect(Object.keys(client[name] ?? {})).toEqual(Object.keys(group))
  })

  const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  )
  it.skipIf(chromium === undefined)('runs it in a browser (needs chromium on the PATH)', async () => {
    const testConsole = await openTestConsole()
    await plantSeed(testConsole)
    // A page of the console's own origin, as a proxy would put it.
    const page = `<!doctype html><pre id="said">nothing</pre><script type="module">
      import { openClient, ApiError } from '/index.js'
      const rookery = openClient({ baseUrl: location.origin, key: '${ADMIN}' })
      const { incidents } = await rookery.incidentQueries.unacknowledged()
      const refused = await rookery.flockNotes.read({ flock_id: 'flock:none' }).catch((error) => error)
      const [ssh] = incidents.filter(({ summary }) => summary === 'SSH Login Attempt')
      document.querySelector('#said').textContent =
        ssh?.summary + ' ' + (refused instanceof ApiError) + ' ' + refused.status
    </script>`
    const server = createServer((request, response) => {
      const url = request.url ?? '/'
      if (url.startsWith('/api/'))
        return void fetch(`${testConsole.console.apiUrl}${url}`, {
          headers: { 'X-Auth-Token': String(request.headers['x-auth-token']) },
        }).then(async (answer) =>
          response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text()),
        )
      if (url === '/index.js')
        return void response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(read('index.js'))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { promisify } = await import('node:util')
    const { execFile } = await import('node:child_process')
    const { stdout } = await promisify(execFile)(
      chromium ?? '',
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        `--user-data-dir=${join(folder, 'browser')}`,
        '--virtual-time-budget=10000',
        '--dump-dom',
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      ],
      { timeout: 150_000 },
    )
    expect(stdout).toContain('>SSH Login Attempt true 404<')
  })
})

it('nothing of the workspace is left in what was built', () => {
  for (const name of readdirSync(built).filter((it) => /\.(js|d\.ts)$/.test(it)))
    expect(readFileSync(join(built, name), 'utf8')).not.toMatch(/@rookery\/(contract|kernel|sdk\/)|typebox/)
})
