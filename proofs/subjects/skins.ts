// Each skin of the decoy http next to the web server that it claims: scanners and web clients print the same.
import { join } from 'node:path'
import { REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import {
  isInstalled,
  nameOf,
  realServers,
  startProgram,
  startRealServer,
} from '../../packages/decoys/test/real-servers.ts'
import { printedAlike, type ToolRun } from '../lib/printed-alike.ts'
import type { Proof } from '../proof.ts'

const OUR_HOST = '127.0.0.1'
const SERVE = join(import.meta.dirname, '../../packages/decoys/test/serve.ts')
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
      const ours = await startProgram(
        process.execPath,
        [SERVE, 'http.enabled=true', ...(server.settings ?? [])],
        { ...process.env, DECOYS_QUIET: '1', DECOYS_BIND: OUR_HOST },
        { host: OUR_HOST, port: server.port },
      )
      let lines = 0
      for (const row of ROWS) lines += await printedAlike(row, REAL_HOST, OUR_HOST)
      say(`${name}: ${ROWS.length} runs of tools, ${lines} lines, equal`)
      await ours.stop()
      await real.stop()
    }
  },
}

export default proof
