// docs/why-no-incident.md against a real console: each of its commands runs as it stands, and explains what is missing.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { registeredBird } from '@rookery/console/test/birds.ts'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'
import { ADMIN, rookery as command } from './run-rookery.ts'

const PAGE = readFileSync(new URL('../../../docs/why-no-incident.md', import.meta.url), 'utf8')
const COMMANDS = [...PAGE.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)

const IGNORED = '192.0.2.7'
const SOURCE = '127.0.0.1'

it('every command of the page runs, and says why nothing came', async () => {
  const rookery = await openTestConsole({
    world: {
      outbound: { send: () => Promise.resolve({ status: 500, headers: {}, body: 'out of order' }) },
    },
  })
  const { api } = rookery
  const flock_id = 'flock:default'
  const node_id = await registeredBird(rookery, { name: 'nas-02', last_seen_at: Date.now() + 60_000 })
  await api.flockWebhooks.addGeneric({ flock_id, url: 'https://alerts.example.com/in' })
  await api.consoleIgnoreLists.replaceIps({ whitelist_ips: `${IGNORED} 4002 # our scanner` })
  const { decoytoken } = await api.tokenFactory.create({ kind: 'http', memo: 'm' })
  await api.tokens.update({ decoytoken: decoytoken.decoytoken, quiet_sources: SOURCE })
  await fetch(decoytoken.url)
  const touches = [IGNORED, '192.0.2.8'].map((srcHost) => sshLogin({ srcHost, nodeId: node_id }).touch)
  const events = touches.map((touch, at) => ({ seq: at + 1, touch }))
  await rookery.console.ingest.fromBird({ nodeId: node_id, spoolId: 's', receivedAt: Date.now(), events })
  // What is written a second later, or tried again.
  await expect.poll(async () => (await api.ignoredTouches.list({})).ignored_touches.length).toBe(1)
  await expect
    .poll(async () => (await api.tokens.history({ decoytoken: decoytoken.decoytoken })).history.length)
    .toBe(1)
  await expect
    .poll(async () => (await api.deliveries.list({})).deliveries.some(({ status }) => status === 500))
    .toBe(true)

  const values = { NODE: node_id, TOKEN: decoytoken.decoytoken, SOURCE: IGNORED, FLOCK: flock_id }
  const said = new Map<string, string>()
  expect(COMMANDS.length).toBeGreaterThan(10)
  for (const line of COMMANDS) {
    const [, path = '', rest = ''] = /^npx rookery api (\S+)(.*)$/.exec(line) ?? []
    const words = rest
      .replace(/"\$(\w+)"/g, (_, name: string) => values[name as keyof typeof values])
      .split(' ')
      .filter(Boolean)
    const { code, stdout, stderr } = await command(
      ['api', path, ...words, '--console', rookery.console.apiUrl ?? ''],
      { ROOKERY_API_KEY: ADMIN },
    )
    expect([line, code, stderr]).toEqual([line, 0, ''])
    said.set(path, stdout)
  }
  const explains = (path: string, ...texts: string[]): void => {
    for (const text of texts) expect([path, said.get(path)]).toEqual([path, expect.stringContaining(text)])
  }
  explains('incidents/search', '"total_results":0')
  explains('ignored_touches/list', `"entry":"${IGNORED} 4002 # our scanner"`)
  explains('settings/is_ip_ignored', `"matched_entry":"${IGNORED} 4002 # our scanner"`)
  explains('decoytoken/history', 'quiet', SOURCE)
  explains('devices/dead', node_id)
  explains('device/info', '"settings_failure"', '"ssh.enabled":true')
  explains('bundles/list', '"state":"waiting"')
  explains('deliveries/list', '"status":500', 'It answered 500')
})
