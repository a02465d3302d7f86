// A new user: clones, follows the tour of README.md line by line, and sees what the page says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { root } from '../../tools/clone.mjs'
import { run } from './lib/command.ts'
import { openTerminal, runOn, type RunningCommand } from './lib/terminal.ts'
import { missingFrom, readTour } from './lib/tour.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

/** Console, tokens, the local Bird's decoys, the tour's receiver. */
const PORTS = [8080, 8081, 20021, 20022, 20080, 26379, 9009]
const INSTALL_MS = 300_000
/** Bundle and page are built before the first start. */
const STARTED_MS = 180_000
const FIRST_INCIDENT_MS = 60_000

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** The host's own, without what `npm run` and this clone put there. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|ROOKERY_|INIT_CWD|NODE)/.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((it) => !it.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) }
}

const proof: Proof = {
  title: 'a new user who follows README.md meets the first incident in under a minute after installation',
  needs: ['git', 'npm', 'bash', 'script', 'curl', 'jq'],
  limitMs: 480_000,
  async prove({ folder, say, skip }) {
    for (const port of PORTS) if (!(await isFree(port))) return skip(`port ${port} of 127.0.0.1 is in use`)
    const clone = join(folder, 'rookery')
    const cloned = await run('git', ['clone', '--quiet', root, clone])
    assert.equal(cloned.code, 0, cloned.stderr)

    const env = environment()
    const steps = readTour(readFileSync(join(clone, 'README.md'), 'utf8'))
    assert.ok(steps.length > 5, 'The tour has hardly a step.')
    const terminal = openTerminal(clone, env)
    let product: RunningCommand | undefined
    let installedAt = 0
    let firstIncidentMs: number | undefined

    for (const { command, shows } of steps) {
      const startedAt = performance.now()
      let output: string
      if (command.includes('npm start')) {
        await product?.interrupt()
        product = runOn(command, clone, env)
        const { said } = product
        if (installedAt === 0) {
          const failed = /npm failed|cannot be reached/
          await until(
            'the installation',
            () => /Installing dependencies: |npm failed|cannot be reached/.test(said()) || undefined,
            INSTALL_MS,
          )
          assert.doesNotMatch(said(), failed)
          installedAt = performance.now()
          say(`cloned and installed in ${((installedAt - startedAt) / 1000).toFixed(1)} s`)
        }
        output = await until(
          'it listens',
          () => (said().includes('Ctrl-C stops it.') ? said() : undefined),
          STARTED_MS,
        )
      } else output = await terminal.type(command)
      const missing = missingFrom(output, shows)
      assert.equal(missing, undefined, `${command}\nshows no “${missing}” but\n${output}`)
      if (firstIncidentMs === undefined && /"summary"/.test(output)) {
        firstIncidentMs = performance.now() - installedAt
        say(`first incident ${(firstIncidentMs / 1000).toFixed(1)} s after installation, typing not counted`)
      }
    }
    await product?.interrupt()
    say(`${steps.length} commands of the tour print what the page shows`)
    assert.ok(firstIncidentMs !== undefined && firstIncidentMs < FIRST_INCIDENT_MS)
  },
}

export default proof
