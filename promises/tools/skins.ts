// Each skin of the decoy http next to the web server that it claims: scanners and web clients print the same. Where Debian has
// no such server, nmap names it.
import assert from 'node:assert/strict'
import { OUR_HOST, REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { isInstalled, nameOf, realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { startDecoys } from '../../packages/decoys/test/start-decoys.ts'
import { run } from './lib/command.ts'
import { printedAlike, type ToolRun } from './lib/printed-alike.ts'
import type { Proof } from './lib/proof.ts'

const PAGES = ['/', '/none', '/css', '/robots.txt', '/login']

const ROWS: readonly ToolRun[] = [
  { tool: 'nmap', args: (host) => ['-Pn', '-n', '-sV', '-sC', '-p', '80', host] },
  {
    tool: 'nmap',
    args: (host) => [
      '-Pn',
      '-n',
      '-p',
      '80',
      '--script',
      'http-headers,http-enum,http-methods,http-auth',
      host,
    ],
  },
  ...PAGES.map((page): ToolRun => ({ tool: 'curl', args: (host) => ['-si', `http://${host}${page}`] })),
  { tool: 'curl', args: (host) => ['-si', '-d', 'username=admin&password=admin', `http://${host}/login`] },
  { tool: 'curl', args: (host) => ['-si', '--compressed', '-A', 'Chrome/120', `http://${host}/none`] },
  { tool: 'whatweb', args: (host) => ['--color=never', `http://${host}/`] },
]

/** What nmap prints of those that only documents describe. */
const BY_DOCUMENTS = {
  'iis-default': '80/tcp open http Microsoft IIS httpd 10.0',
  printer: '80/tcp open http Debut embedded httpd 1.20 (Brother/HP printer http admin)',
}

const web = realServers.filter(({ service }) => service === 'http')

const proof: Proof = {
  title:
    'nmap, curl and whatweb print of each skin of the decoy http what they print of the server that it claims',
  packages: [...new Set(web.map(({ debian }) => debian)), 'nmap', 'curl', 'whatweb'],
  needs: ['nmap', 'curl', 'whatweb'],
  isIsolated: true,
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    for (const server of web) {
      const name = nameOf(server)
      if (!isInstalled(server)) {
        skip(`${name}: ${server.debian} is not installed`)
        continue
      }
      const real = await startRealServer(server, folder)
      const ours = await serve(server.settings)
      let lines = 0
      for (const row of ROWS) lines += await printedAlike(row, REAL_HOST, OUR_HOST)
      say(`${name}: ${ROWS.length} runs of tools, ${lines} lines, equal`)
      await ours.stop()
      await real.stop()
    }
    for (const [skin, line] of Object.entries(BY_DOCUMENTS)) {
      const ours = await serve([`http.skin=${skin}`])
      const { stdout } = await run('nmap', ['-Pn', '-n', '-sV', '-p', '80', OUR_HOST], {
        patienceMs: 120_000,
      })
      assert.ok(stdout.replace(/ +/g, ' ').split('\n').includes(line), stdout)
      say(`http.skin=${skin}: ${line}`)
      await ours.stop()
    }
  },
}

const serve = (settings: readonly string[] = []) => startDecoys(['http.enabled=true', ...settings], 80)

export default proof
