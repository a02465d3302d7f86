import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundleSources, entriesOf, isFresh } from './bundle.mjs'
import { nodePath, root } from './clone.mjs'
import { holding } from './lock.mjs'
import { explainNpm, isInstalled, npmArguments, prepare, refuseOldNode, scriptsToRun } from './prepare.mjs'

const run = promisify(execFile)

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'rookery-prepare-'))
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

const put = (path: string, text = '') => {
  mkdirSync(join(clone, dirname(path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}

/** A clone with the installed packages of this one, and a command that answers through a worker. */
function putSources() {
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  cpSync(join(root, 'tools'), join(clone, 'tools'), { recursive: true })
  cpSync(join(root, 'package-lock.json'), join(clone, 'package-lock.json'))
  put('package.json', '{ "type": "module" }')
  put('packages/cli/src/answer.ts', "export const answer: string = 'caw'\n")
  put(
    'packages/console/src/deep/echo.worker.ts',
    "import { parentPort } from 'node:worker_threads'\nparentPort?.postMessage(1)\n",
  )
  put(
    'packages/cli/src/main.ts',
    [
      "import { Worker } from 'node:worker_threads'",
      "import pino from 'pino'",
      "import { answer } from './answer.ts'",
      "const worker = new Worker(new URL('./echo.worker.mjs', import.meta.url))",
      "worker.once('message', (said) => console.log(answer, said, typeof pino, process.version.split('.')[0]))",
    ].join('\n'),
  )
}

const answerOf = async () => (await run(nodePath(), [join(clone, '.build/rookery.mjs')])).stdout.trim()

describe('bundling', () => {
  it('one command and one file for each worker come out, and run', async () => {
    putSources()
    await prepare({ folder: clone, bundle: true })
    expect(readdirSync(join(clone, '.build')).sort()).toEqual([
      'echo.worker.mjs',
      'echo.worker.mjs.map',
      'files.json',
      'rookery.mjs',
      'rookery.mjs.map',
      'stamp',
    ])
    expect(await answerOf()).toBe('caw 1 function v24')
  })

  it('an error names the line of the source', async () => {
    putSources()
    put('packages/cli/src/answer.ts', "\nthrow new Error('planned')\nexport const answer = ''\n")
    await bundleSources(clone)
    const fails = run(nodePath(), ['--enable-source-maps', join(clone, '.build/rookery.mjs')])
    await expect(fails).rejects.toThrow(`${join(realpathSync(clone), 'packages/cli/src/answer.ts')}:2:`)
  })

  it('happens again when a source changed, and only then', async () => {
    putSources()
    await bundleSources(clone)
    expect(isFresh(clone)).toBe(true)
    put('packages/cli/src/answer.test.ts', 'it()')
    expect(isFresh(clone)).toBe(true)
    put('packages/cli/src/answer.ts', "export const answer = 'croak'\n")
    expect(isFresh(clone)).toBe(false)
    await prepare({ folder: clone, bundle: true })
    expect(await answerOf()).toBe('croak 1 function v24')
  })

  it('a mistake in a source is shown with its place, and the old bundle stays', async () => {
    putSources()
    await bundleSources(clone)
    put('packages/cli/src/answer.ts', 'export const answer = = 1\n')
    await expect(bundleSources(clone)).rejects.toThrow(/packages\/cli\/src\/answer\.ts:1:/)
    expect(await answerOf()).toBe('caw 1 function v24')
  })

  it('runs at the same time leave one whole bundle', async () => {
    putSources()
    const script = join(root, 'tools/prepare.mjs')
    const text = `import { prepare } from ${JSON.stringify(script)}; await prepare({ folder: process.argv[1], bundle: true })`
    const both = [1, 2, 3].map(() => run(nodePath(), ['--input-type=module', '-e', text, clone]))
    await Promise.all(both)
    expect(await answerOf()).toBe('caw 1 function v24')
    expect(existsSync(join(clone, '.build/prepare.lock'))).toBe(false)
  })

  it('a clone without the command, or with two workers of one name, says so', () => {
    mkdirSync(join(clone, 'packages'))
    expect(() => entriesOf(clone)).toThrow(/packages\/cli\/src\/main\.ts does not exist/)
    put('packages/cli/src/main.ts')
    put('packages/console/src/a/x.worker.ts')
    put('packages/console/src/b/x.worker.ts')
    expect(() => entriesOf(clone)).toThrow(/Two entries are called x\.worker/)
  })
})

describe('installing', () => {
  const lock = (packages: object) => JSON.stringify({ packages: { '': {}, ...packages } })
  const a = { version: '1.0.0', integrity: 'sha512-a' }

  const tool = { ...a, dev: true }

  const installed = (wanted: object, present: object, dev = true) => {
    put('package-lock.json', lock(wanted))
    put('node_modules/.package-lock.json', lock(present))
    put('node_modules/node/bin/node')
    return isInstalled(clone, dev)
  }

  it('is needed when a package is missing or of another version, whatever the times of the files', () => {
    expect(installed({ 'node_modules/a': a }, { 'node_modules/a': a })).toBe(true)
    expect(installed({ 'node_modules/a': a }, {})).toBe(false)
    expect(installed({ 'node_modules/a': a }, { 'node_modules/a': { ...a, version: '1.0.1' } })).toBe(false)
    expect(installed({ 'node_modules/a': a }, { 'node_modules/a': { ...a, integrity: 'sha512-b' } })).toBe(
      false,
    )
  })

  it('is not needed for a package of another platform', () => {
    expect(installed({ 'node_modules/mac': { ...a, optional: true } }, {})).toBe(true)
  })

  it('of tools is needed by tests, and not by a start', () => {
    const wanted = { 'node_modules/a': a, 'node_modules/tool': tool }
    expect(installed(wanted, { 'node_modules/a': a }, false)).toBe(true)
    expect(installed(wanted, { 'node_modules/a': a }, true)).toBe(false)
    expect(installed(wanted, wanted, false)).toBe(true)
  })

  it('leaves the tools out for a start, adds them for a test, and never takes them away', () => {
    const changed = { 'node_modules/a': { ...a, version: '1.0.1' }, 'node_modules/tool': tool }
    installed(changed, {})
    expect(npmArguments(clone, false)).toEqual(['ci', '--omit=dev'])
    expect(npmArguments(clone, true)).toEqual(['ci', '--include=dev'])
    installed(changed, { 'node_modules/a': changed['node_modules/a'] })
    expect(npmArguments(clone, true)).toEqual(['install', '--no-save', '--include=dev'])
    installed(changed, { 'node_modules/a': a, 'node_modules/tool': tool })
    expect(npmArguments(clone, false)).toEqual(['ci', '--include=dev'])
  })

  it('of tools runs no script of a package that was there before', () => {
    installed({}, { 'node_modules/node': a })
    put('node_modules/pg/index.js')
    put('package.json', JSON.stringify({ allowScripts: { node: true, pg: true, away: true } }))
    expect(scriptsToRun(clone, {})).toEqual(['pg', 'node'])
    expect(scriptsToRun(clone, { 'node_modules/node': a })).toEqual(['pg'])
  })

  it('is needed without Node 24, and in a bare clone', () => {
    installed({}, {})
    rmSync(join(clone, 'node_modules/node'), { recursive: true })
    expect(isInstalled(clone, false)).toBe(false)
    rmSync(join(clone, 'node_modules'), { recursive: true })
    expect(isInstalled(clone, false)).toBe(false)
  })

  it('a broken lockfile is named', () => {
    put('package-lock.json', '{')
    expect(() => isInstalled(clone, false)).toThrow(/package-lock\.json is missing or not JSON/)
  })

  it('its failures are explained in plain words', () => {
    expect(explainNpm('Error: spawn npm ENOENT', clone)).toMatch(/npm is not on the PATH/)
    expect(explainNpm('npm error code EAI_AGAIN', clone)).toMatch(
      /registry cannot be reached.*\nnpm error code EAI_AGAIN/,
    )
    expect(explainNpm('npm error code ENOSPC', clone)).toMatch(/disk is full/)
    expect(explainNpm('npm error code EACCES', clone)).toMatch(/may not write below/)
    expect(explainNpm('npm error something', clone)).toBe('npm failed.\nnpm error something')
  })

  it('an old Node is refused by its number', () => {
    expect(() => refuseOldNode('18.20.4')).toThrow(
      'needs Node 20 or newer to install itself; this is Node 18.20.4',
    )
    expect(() => refuseOldNode('20.0.0')).not.toThrow()
  })
})

describe('an installation', () => {
  /** A package as a file of the registry, whose install script leaves a file `ran`. */
  async function pack(name: string, script: string): Promise<string> {
    const [kind = '', text = ''] = script.split(':')
    put(
      `made/${name}/package/package.json`,
      JSON.stringify({ name, version: '1.0.0', scripts: { [kind]: text } }),
    )
    put(`made/${name}/package/note.txt`)
    await run('tar', ['czf', join(clone, `${name}.tgz`), '-C', join(clone, 'made', name), 'package'])
    return `file:${name}.tgz`
  }
  const ran = (name: string) => existsSync(join(clone, 'node_modules', name, 'ran'))
  const HEADER = 'node_modules/node/node_modules/node-x/include/node/node.h'

  it.each(['true', 'false'])(
    'runs the scripts of the allowed packages alone, and leaves no C headers (ignore-scripts=%s)',
    async (ignored) => {
      const makeNode = `preinstall:touch ran && mkdir -p bin node_modules/node-x/include/node && touch bin/node node_modules/node-x/include/node/node.h`
      const packed = {
        node: await pack('node', makeNode),
        helper: await pack('helper', 'postinstall:touch ran'),
        stranger: await pack('stranger', 'postinstall:touch ran'),
        refused: await pack('refused', 'install:touch ran'),
      }
      const allowScripts = { node: true, helper: true, refused: false }
      put('package.json', JSON.stringify({ name: 'a', version: '1.0.0', dependencies: packed, allowScripts }))
      put('.npmrc', `ignore-scripts=${ignored}\noffline=true\n`)
      await run('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: clone })
      await prepare({ folder: clone })
      expect(Object.keys(packed).filter(ran)).toEqual(['node', 'helper'])
      expect(existsSync(join(clone, HEADER))).toBe(false)

      // An installation that is there loses the headers, too, and its Node is left alone.
      put(HEADER)
      rmSync(join(clone, 'node_modules/node/ran'))
      await prepare({ folder: clone })
      expect([existsSync(join(clone, HEADER)), ran('node')]).toEqual([false, false])
    },
    60_000,
  )
})

describe('the lock', () => {
  it('is held by one at a time and gone afterwards, also after a failure', async () => {
    const path = join(clone, 'lock')
    let inside = 0
    const work = async () => {
      expect(++inside).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      throw new Error('as planned')
    }
    const all = await Promise.allSettled([1, 2, 3].map(() => holding(path, work)))
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(existsSync(path)).toBe(false)
  })

  it('of a process that died is taken over', async () => {
    const path = join(clone, 'lock')
    const gone = run(nodePath(), ['-e', ''])
    await gone
    writeFileSync(path, `${gone.child.pid} 0.5`)
    expect(await holding(path, () => Promise.resolve(readFileSync(path, 'utf8').split(' ')[0]))).toBe(
      `${process.pid}`,
    )
  })
})
