// docs/api-tour.sh against a real console: each of its steps succeeds, and nothing stays behind.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Outbound } from '@rookery/kernel/world.ts'
import { pendingBird } from './birds.ts'
import { ADMIN, openTestConsole } from './test-console.ts'

const SCRIPT = fileURLToPath(new URL('../../../docs/api-tour.sh', import.meta.url))
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0)

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const tour = (env: Record<string, string>): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(SCRIPT, { env: { PATH: process.env['PATH'] ?? '', ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

describe.skipIf(!hasTools)('the tour of the API by curl (needs bash and curl on the PATH)', () => {
  // One engine: the examples of the contract are sent on both.
  it('does every task of a console, and cleans up', async () => {
    const sent: string[] = []
    const outbound: Outbound = {
      send({ url }) {
        sent.push(url)
        return Promise.resolve({ status: 204, headers: {}, body: '' })
      },
    }
    const rookery = await openTestConsole({ world: { outbound } })
    await pendingBird(rookery)
    const RECEIVER = 'https://alerts.example.com/tour'
    const { code, stdout, stderr } = await tour({
      CONSOLE: rookery.console.apiUrl ?? '',
      KEY: ADMIN,
      RECEIVER,
    })
    expect([stderr, code]).toEqual(['', 0])
    expect(stdout).toMatch(/The tour is over: everything was as it should be\.\n$/)
    expect(stdout).toContain('device/reboot')
    expect(sent).toContain(RECEIVER)
    expect((await rookery.get('/flocks/list')).json['flocks']).toEqual({
      'flock:default': expect.any(String) as string,
    })
    expect((await rookery.get('/decoytoken/list_factories')).json['factories']).toEqual([])
    expect((await rookery.get('/auth_token/list')).json['global_api_keys']).toHaveLength(1)
  })

  it('stops where something is wrong, and says where', async () => {
    const rookery = await openTestConsole()
    const wrongKey = await tour({ CONSOLE: rookery.console.apiUrl ?? '', KEY: 'f'.repeat(32) })
    expect([wrongKey.code, wrongKey.stderr]).toEqual([1, expect.stringContaining('The tour stops: GET ping')])
  })
})
