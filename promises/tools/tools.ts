// Common tools of intruders, against the local Bird of a fresh start.
import assert from 'node:assert/strict'
import { run, type Ran } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { missing, type Proof, type Stage } from './lib/proof.ts'

interface Touch {
  readonly needs: readonly string[]
  readonly touch: (port: Product['port']) => Promise<Ran>
  readonly logtype: string
  readonly fields: Readonly<Record<string, unknown>>
}

const SSH = [
  '-o',
  'StrictHostKeyChecking=no',
  '-o',
  'UserKnownHostsFile=/dev/null',
  '-o',
  'PubkeyAuthentication=no',
]
const MAX_MS = 1_000

/** A request of curl to the web server. */
const byCurl = (logtype: string, path: string, more: readonly string[], fields: Touch['fields']): Touch => ({
  needs: ['curl'],
  touch: (port) => run('curl', ['-s', ...more, `http://${HOST}:${port(80)}${path}`]),
  logtype,
  fields: { PATH: path, USERAGENT: /^curl\//, SKIN: 'nas', HOSTNAME: /^127\.0\.0\.1:\d+$/, ...fields },
})

const touches: readonly Touch[] = [
  byCurl('3000', '/', [], { METHOD: 'GET', RESPONSE: 200 }),
  byCurl('3002', '/index.html', ['-d', 'a=b'], { METHOD: 'POST', RESPONSE: 200 }),
  byCurl('3003', '/backup.zip', [], { METHOD: 'GET', RESPONSE: 404 }),
  byCurl('3004', '/', ['-X', 'PROPFIND'], { METHOD: 'PROPFIND' }),
  byCurl('3005', '/api/v1/users', ['-H', 'X-Probe: 1', '-d', '{"id":7}'], {
    POSTDATA: '{"id":7}',
    RESPONSE: 404,
  }),
  byCurl('3006', '/upload.php', ['-d', 'a=b'], { METHOD: 'POST', RESPONSE: 404 }),
  {
    needs: ['nmap'],
    touch: (port) => run('nmap', ['-Pn', '-n', '-sT', '-p', `${port(22)}`, HOST]),
    logtype: '4000',
    fields: { LOCALVERSION: /^SSH-2\.0-OpenSSH_/ },
  },
  {
    needs: ['ssh-keyscan'],
    touch: (port) => run('ssh-keyscan', ['-p', `${port(22)}`, HOST]),
    logtype: '4001',
    fields: { REMOTEVERSION: /^SSH-2\.0-OpenSSH/ },
  },
  {
    needs: ['sshpass', 'ssh'],
    touch: (port) => run('sshpass', ['-p', 'toor', 'ssh', ...SSH, '-p', `${port(22)}`, `root@${HOST}`, 'id']),
    logtype: '4002',
    fields: { USERNAME: 'root', PASSWORD: 'toor' },
  },
  {
    needs: ['curl'],
    touch: (port) =>
      run('curl', ['-s', '-d', 'username=admin&password=hunter2', `http://${HOST}:${port(80)}/login.html`]),
    logtype: '3001',
    fields: { USERNAME: 'admin', PASSWORD: 'hunter2', METHOD: 'POST' },
  },
  {
    needs: ['lftp'],
    touch: (port) => {
      const patient = 'set net:max-retries 1; set net:timeout 10; ls; bye'
      return run('lftp', ['-e', patient, '-u', 'backup,letmein', '-p', `${port(21)}`, HOST])
    },
    logtype: '2000',
    fields: { USERNAME: 'backup', PASSWORD: 'letmein' },
  },
  {
    needs: ['ftp'],
    touch: (port) => run('ftp', ['-n', '-v', HOST, `${port(21)}`], { input: 'user operator s3cret\nquit\n' }),
    logtype: '2000',
    fields: { USERNAME: 'operator', PASSWORD: 's3cret' },
  },
  {
    needs: ['redis-cli'],
    touch: (port) =>
      run('redis-cli', ['-h', HOST, '-p', `${port(6379)}`, 'CONFIG', 'SET', 'dir', '/root/.ssh']),
    logtype: '21001',
    fields: { CMD: 'CONFIG', ARGS: 'SET dir /root/.ssh' },
  },
]

async function show(
  { touch, logtype, fields, needs }: Touch,
  product: Product,
  say: Stage['say'],
): Promise<void> {
  const startedAt = performance.now()
  const touching = touch(product.port)
  await incidentWith(product.console, logtype, fields, product.nodeId)
  const seenMs = performance.now() - startedAt
  const { ms } = await touching
  const tool = needs.join(' + ')
  say(
    `${tool.padEnd(14)} ${logtype.padEnd(5)} in the list ${Math.round(seenMs)} ms after the tool's start; ` +
      `the tool took ${Math.round(ms)} ms`,
  )
  // The touch lies between the tool's start and its end; a tool that is quick leaves no doubt.
  assert.ok(seenMs - ms <= MAX_MS, `${tool}: listed ${Math.round(seenMs - ms)} ms after the tool ended.`)
}

const proof: Proof = {
  title: 'OpenSSH, nmap, curl, lftp, ftp and redis-cli raise incidents with what was tried, within a second',
  uses: touches.flatMap(({ needs }) => needs),
  limitMs: 120_000,
  async prove({ folder, say, skip }) {
    const product = await startProduct(folder)
    for (const touch of touches) {
      const absent = missing(touch.needs)
      if (absent === undefined) await show(touch, product, say)
      else skip(`${absent}: no touch of logtype ${touch.logtype} by it`)
    }
    await product.console.stop()
  },
}

export default proof
