// Each kind of token is fired by a program that nobody here wrote, from the artefact as a user gets it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ADMIN, startConsole, type Params, type RunningConsole } from '../../bench/lib/console.ts'
import { freePort } from '../../bench/lib/ports.ts'
import { mkdirSync } from 'node:fs'
import { run } from '../lib/command.ts'
import { incidentWith, unacknowledged } from '../lib/incidents.ts'
import { openInChromium, serveSite } from '../lib/site.ts'
import { startUnbound } from '../lib/unbound.ts'
import { missing, type Proof } from '../proof.ts'

const ZONE = 'tokens.example'
const TARGET = 'http://target.example/arrived'

interface Planted {
  readonly id: string
  readonly hostname: string
  readonly url: string
  readonly renders: Readonly<Record<string, string>>
}

interface Ground {
  readonly console: RunningConsole
  readonly folder: string
  /** Where a careful resolver listens. */
  readonly resolverPort: number
}

interface Fired {
  readonly kind: string
  readonly program: string
  readonly needs: readonly string[]
  readonly settings?: Params
  readonly logtype: string
  /** Fires the token; answers the fields that its event must have. */
  readonly fire: (planted: Planted, ground: Ground) => Promise<Readonly<Record<string, unknown>>>
}

const dig = (port: number, ...args: string[]) =>
  run('dig', ['+time=5', '+tries=1', '+short', '-p', `${port}`, '@127.0.0.1', ...args])

/** Shows a page with this content at `http://<host>`; throws when the browser could not. */
async function browse(html: string, host: string, folder: string): Promise<string> {
  const site = await serveSite(html)
  const url = `http://${host}:${site.port}/login?from=mail&to=you`
  const { code, stderr } = await openInChromium(url, join(folder, 'chromium'))
  site.close()
  assert.equal(code, 0, stderr)
  return url
}

/** At home nothing fires; on a foreign host it does. */
async function atHomeAndAway({ id }: Planted, { console, folder }: Ground, html: string): Promise<string> {
  await browse(html, 'www.home.example', folder)
  const early = (await unacknowledged(console)).filter(({ description }) => description.node_id === id)
  assert.deepEqual(early, [], 'it fired at home')
  return browse(html, 'home.example.evil.test', folder)
}

const css = ({ renders }: Planted): string =>
  `<html><head><style>${renders['css']}</style></head><body>x</body></html>`

const firings: readonly Fired[] = [
  {
    kind: 'http',
    program: 'curl',
    needs: ['curl'],
    logtype: '17000',
    async fire({ url }) {
      const { stdout } = await run('curl', ['-s', '-A', 'curious', '-o', '-', url])
      assert.match(stdout, /^GIF89a/)
      return { useragent: 'curious', method: 'GET' }
    },
  },
  {
    kind: 'http',
    program: 'Chromium',
    needs: ['chromium'],
    logtype: '17000',
    async fire({ url }, { folder }) {
      await openInChromium(url, join(folder, 'chromium'))
      return { location: url }
    },
  },
  {
    kind: 'dns',
    program: 'dig',
    needs: ['dig'],
    logtype: '16000',
    async fire({ hostname }, { console }) {
      const { stdout } = await dig(console.dnsPort, hostname, 'A')
      assert.equal(stdout, '127.0.0.1\n')
      return { qtype: 'A', qname: hostname, event_name: 'DNS A', dst_port: 53, src_host_is_resolver: true }
    },
  },
  {
    kind: 'dns',
    program: 'dig +tcp',
    needs: ['dig'],
    logtype: '16000',
    async fire({ hostname }, { console }) {
      await dig(console.dnsPort, '+tcp', '+subnet=198.51.100.0/24', hostname, 'AAAA')
      return { qtype: 'AAAA', qname: hostname, client_subnet: '198.51.100.0/24' }
    },
  },
  {
    kind: 'dns',
    program: 'dig through unbound',
    needs: ['dig', 'unbound'],
    logtype: '16000',
    async fire({ hostname }, { resolverPort }) {
      // "root@db1" in base32, in two labels.
      const name = `ojxw65ca.mrrdc.G42.${hostname}`
      const { stdout } = await dig(resolverPort, name, 'A')
      assert.equal(stdout, '127.0.0.1\n')
      return { data: 'root@db1', qname: name.toLowerCase() }
    },
  },
  {
    kind: 'fast-redirect',
    program: 'curl -L',
    needs: ['curl'],
    settings: { browser_redirect_url: TARGET },
    logtype: '17016',
    async fire({ url }) {
      const site = await serveSite('arrived')
      const toSite = ['--connect-to', `target.example:80:127.0.0.1:${site.port}`]
      const { stdout } = await run('curl', ['-s', '-L', ...toSite, '-w', ' %{url_effective}', url])
      site.close()
      assert.equal(stdout, `arrived ${TARGET}`)
      return { method: 'GET' }
    },
  },
  {
    kind: 'slow-redirect',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { browser_redirect_url: TARGET },
    logtype: '17017',
    async fire({ url }, { folder }) {
      await openInChromium(url, join(folder, 'chromium'))
      return { location: url, method: 'GET' }
    },
  },
  {
    kind: 'qr-code',
    program: 'zbarimg, curl',
    needs: ['zbarimg', 'curl'],
    logtype: '17009',
    async fire({ id, url }, { console, folder }) {
      const file = join(folder, 'qr-code.png')
      const api = `http://127.0.0.1:${console.port}/api/v1/decoytoken/download?decoytoken=${id}`
      await run('curl', ['-s', '-H', `X-Auth-Token: ${ADMIN}`, '-o', file, api])
      const { stdout } = await run('zbarimg', ['-q', '--raw', file])
      assert.equal(stdout, `${url}\n`)
      await run('curl', ['-s', '-A', 'camera', stdout.trim()])
      return { useragent: 'camera', method: 'GET' }
    },
  },
  {
    kind: 'cloned-web',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { cloned_web: 'home.example' },
    logtype: '17003',
    async fire(planted, ground) {
      const page = `<html><body>x${planted.renders['html']}</body></html>`
      return { location: await atHomeAndAway(planted, ground, page) }
    },
  },
  {
    kind: 'cloned-css',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { expected_referrer: 'home.example' },
    logtype: '17025',
    async fire(planted, ground) {
      await atHomeAndAway(planted, ground, css(planted))
      return { referer_host: 'home.example.evil.test', expected_referrer: 'home.example' }
    },
  },
  {
    kind: 'cloud-b-login',
    program: 'Chromium',
    needs: ['chromium'],
    settings: { expected_referrer: 'home.example' },
    logtype: '17026',
    async fire(planted, ground) {
      await atHomeAndAway(planted, ground, css(planted))
      return { referer_host: 'home.example.evil.test' }
    },
  },
]

async function plant(console: RunningConsole, { kind, program, settings = {} }: Fired): Promise<Planted> {
  const params = { kind, memo: `${kind} by ${program}`, flock_id: 'flock:default', ...settings }
  const { status, json, text } = await console.post('/decoytoken/create', params)
  assert.equal(status, 200, text)
  const { decoytoken, ...rest } = json['decoytoken'] as { decoytoken: string } & Omit<Planted, 'id'>
  return { id: decoytoken, ...rest }
}

const proof: Proof = {
  title: 'each kind of token fires by a program of the wild, once for each visit',
  isIsolated: true,
  limitMs: 300_000,
  async prove({ folder, say, skip }) {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const console = await startConsole({ dataDir, env: { ROOKERY_TOKENS_DOMAIN: ZONE } })
    const resolverPort = await freePort()
    const authoritativePort = console.dnsPort
    const stopResolver =
      missing(['dig', 'unbound']) === undefined
        ? await startUnbound({ folder, port: resolverPort, zone: ZONE, authoritativePort })
        : undefined
    for (const fired of firings) {
      const { kind, program, needs, logtype } = fired
      const absent = missing(needs)
      if (absent !== undefined) {
        skip(`${kind}: ${absent}`)
        continue
      }
      const planted = await plant(console, fired)
      const fields = await fired.fire(planted, { console, folder, resolverPort })
      const { description } = await incidentWith(console, logtype, fields, planted.id)
      assert.equal(description.events_count, '1', `${kind} by ${program}: one visit is one event`)
      say(
        `${kind.padEnd(14)} ${program.padEnd(20)} ${logtype}  event seen, fields right: ${Object.keys(fields).join(', ')}`,
      )
    }
    stopResolver?.()
    await console.stop()
  },
}

export default proof
