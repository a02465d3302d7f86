// Two bare Debians and the pages docs/install.md, operate.md and troubleshooting.md: each command is typed as it stands there, and
// each service runs with the rights of its unit.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAuthority } from '../../packages/console/test/certificates.ts'
import { root as clone } from '../../tools/clone.mjs'
import { openSyslog, openWebhook } from './lib/alert-receivers.ts'
import { rookery, run } from './lib/command.ts'
import { bootstrap, startMachine, type DebianMachine } from './lib/debian-machine.ts'
import { readBlocks } from './lib/page-blocks.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const CONSOLE = '10.213.0.1'
const BIRD = '10.213.0.2'
const HOSTS = `127.0.0.1 localhost
${CONSOLE} console.example.com
${BIRD} bird.example.com
`
/** The receiver of the pages, which has a certificate of the world; and that of the proof. */
const RECEIVER = ['https://alerts.example.com/rookery', `http://${CONSOLE}:9009/`] as const
const PAGE_MS = 60_000
const BIRD_MS = 300_000
const API = '--console http://127.0.0.1:8080'

type Machines = Readonly<Record<string, DebianMachine>>

/** The package of this clone; a later revision is newer to dpkg. */
const build = async (what: string, folder: string, revision = '1'): Promise<string> =>
  (await rookery(['package', 'deb', what, '--out', folder, '--revision', revision], {})).trim()

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Types a page; answers all that was printed. What `rookery enrol` prints is `the-code` of the next block. */
async function follow(name: string, machines: Machines, say: Stage['say']): Promise<string> {
  const startedAt = performance.now()
  const blocks = readBlocks(readFileSync(join(clone, `docs/${name}.md`), 'utf8'))
  assert.ok(blocks.length > 4, `docs/${name}.md has hardly a command.`)
  let all = ''
  let last = ''
  for (const { where, commands } of blocks.filter((block) => block.where !== 'clone')) {
    const typed = commands.replaceAll('the-code', last.trim()).replaceAll(...RECEIVER)
    const machine = machines[where]
    assert.ok(machine, `docs/${name}.md types on a machine "${where}".`)
    last = await machine.type(typed).catch((error: Error) => {
      throw new Error(`docs/${name}.md, on the machine of the ${where}:\n${commands}${error.message}`)
    })
    all += last
  }
  say(`docs/${name}.md: ${blocks.length} blocks of commands in ${seconds(startedAt)}`)
  return all
}

async function touch(console: DebianMachine, password: string): Promise<void> {
  const form = `username=admin&password=${password}`
  await console.type(`curl -s -m 10 -o /dev/null -d '${form}' http://bird.example.com/index.html`)
  await until(
    `the touch with ${password} is an incident`,
    async () => (await incidents(console)).includes(`"${password}"`) || undefined,
    30_000,
    200,
  )
}

/** The console gives up its own HTTPS for nginx with the sample of deploy/, on the same ports. */
async function putBehindNginx(
  machine: DebianMachine & { readonly pid: number },
  folder: string,
): Promise<() => void> {
  await machine.type(`sed -i '/^ROOKERY_TLS_/d; /^ROOKERY_TOKENS_LISTEN=/d' /etc/rookery/console.conf
echo ROOKERY_TRUSTED_PROXIES=127.0.0.1/32 >> /etc/rookery/console.conf
systemctl restart rookery`)
  const file = join(folder, 'nginx.conf')
  const sample = readFileSync(join(clone, 'deploy/nginx/rookery.conf'), 'utf8')
    .replaceAll('/etc/rookery/', join(machine.root, 'etc/rookery/'))
    .replace('server_name rookery.', 'server_name console.')
  const main = `pid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nuser root;\nevents {}\nhttp {\n  access_log off;\n${sample}}\n`
  writeFileSync(file, main)
  const args = [
    '--target',
    String(machine.pid),
    '--net',
    'nginx',
    '-p',
    folder,
    '-c',
    file,
    '-g',
    'daemon off;',
  ]
  const child = spawn('nsenter', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await machine.type(
    'curl -sk --retry 20 --retry-delay 1 --retry-connrefused https://console.example.com/readyz',
  )
  return () => child.kill()
}

/** A form of Slack, and syslog over TLS to a receiver whose certificate the console is given. */
async function addReceivers(machine: DebianMachine & { readonly pid: number }, folder: string) {
  const authority = makeAuthority()
  const ca = join(folder, 'syslog.pem')
  writeFileSync(ca, authority.ca)
  machine.bring(ca)
  const slack = openWebhook(machine.pid, 9010)
  const syslog = openSyslog(machine.pid, 6514, authority.issue([CONSOLE]))
  const add = 'rookery api flock/settings/webhooks'
  await machine.type(`echo http://${CONSOLE}:9010/ | ${add}/generic/add --flock_id flock:default --format slack --url @- ${API}
${add}/syslog/add --flock_id flock:default --host ${CONSOLE} --port 6514 --protocol tls --ca @syslog.pem ${API}`)
  return { slack, syslog }
}

/** A backup is restored on another machine, whose console has never run. */
async function restoreElsewhere(from: DebianMachine, to: DebianMachine, deb: string): Promise<void> {
  to.bring(deb)
  cpSync(join(from.root, 'var/backups/rookery/before-upgrade'), join(to.root, 'tmp/backup'), {
    recursive: true,
  })
  const found = await to.type(`dpkg -i rookery-console_*.deb
systemctl stop rookery
rm -rf /var/lib/rookery
install -d -m 0700 -o rookery -g rookery /var/lib/rookery
chown -R rookery:rookery /tmp/backup
rookery restore /tmp/backup
systemctl start rookery
install -m 0600 -o rookery -g rookery /dev/null /var/lib/rookery/admin.key
rookery key add --type admin --note elsewhere > /var/lib/rookery/admin.key
rookery api incidents/unacknowledged ${API}`)
  assert.match(found, /letmein/, 'The console restored elsewhere lacks the incident.')
  await to.type('dpkg --purge rookery-console')
}

const incidents = (console: DebianMachine): Promise<string> =>
  console.type(`rookery api incidents/unacknowledged ${API}`)

/** Of the service alone: it wrote where its unit lets it, and nowhere else. */
function ownsItsData(root: string, user: string): void {
  const { mode, uid } = statSync(join(root, 'var/lib', user))
  assert.equal(mode & 0o777, 0o700)
  assert.notEqual(uid, 0)
  assert.ok(existsSync(join(root, 'var/cache', user)))
}

/** Packages go; data stay until they are purged, and dpkg says so. */
async function removed(machine: DebianMachine, name: string, user: string): Promise<void> {
  const data = join(machine.root, 'var/lib', user)
  assert.match(await machine.type(`dpkg --remove ${name}`), new RegExp(`/var/lib/${user} .* stay`))
  assert.equal(machine.journal(user), '', 'dpkg --remove left the service running.')
  assert.ok(existsSync(data), 'dpkg --remove deleted the data.')
  assert.match(await machine.type(`dpkg --purge ${name}`), new RegExp(`deleting /var/lib/${user} \\(`))
  assert.ok(!existsSync(data), 'dpkg --purge left the data.')
  for (const left of ['console.conf', 'bird.conf', 'secrets'])
    assert.ok(!existsSync(join(machine.root, 'etc/rookery', left)), `dpkg --purge left ${left}.`)
}

const proof: Proof = {
  title:
    'a newcomer who follows the pages has a console, a Bird on another machine, alerts, backups, upgrades and a move',
  needs: ['debootstrap', 'unshare', 'nsenter', 'ip', 'setpriv', 'curl', 'nginx', 'nmap'],
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    if (process.getuid?.() !== 0) return skip('needs root: it makes namespaces and installs packages')
    const startedAt = performance.now()
    const packages = join(folder, 'packages')
    const [consoleDeb, birdDeb] = [await build('console', packages), await build('bird', packages)]
    const newerDeb = await build('console', packages, '2')
    say(`three packages built in ${seconds(startedAt)}`)
    const roots = { console: join(folder, 'console'), bird: join(folder, 'bird') }
    await bootstrap(roots.console, ['curl', 'openssl', 'postgresql'])
    appendFileSync(join(roots.console, 'etc/hosts'), HOSTS)
    // With its devices.
    const copied = await run('cp', ['-a', roots.console, roots.bird], { patienceMs: 120_000 })
    assert.equal(copied.code, 0, copied.stderr)

    const console = await startMachine(roots.console, { address: `${CONSOLE}/24` })
    const peer = { pid: console.pid, address: `${CONSOLE}/24` }
    const bird = await startMachine(roots.bird, { address: `${BIRD}/24`, peer })
    const receiver = openWebhook(console.pid, 9009)
    let stopNginx = (): unknown => undefined
    try {
      console.bring(consoleDeb)
      bird.bring(birdDeb)
      const installed = await follow(
        'install',
        { console: reachesReceiver(console, say), bird: isQuick(bird, say) },
        say,
      )
      assert.match(installed, /Bird [0-9a-f]{16} is running on/)
      const alert = await receiver.first
      assert.match(alert, /letmein/, 'The alert does not say what was tried.')
      ownsItsData(roots.console, 'rookery')
      ownsItsData(roots.bird, 'rookery-bird')

      stopNginx = await putBehindNginx(console, folder)
      await bird.type('systemctl restart rookery-bird')
      const { slack, syslog } = await addReceivers(console, folder)
      await touch(console, 'behind-nginx')
      await console.run('nmap', ['-Pn', '-n', '-p', '1-2000', BIRD])
      await until(
        'the scan by nmap is an incident',
        async () => /port scan/i.test(await incidents(console)) || undefined,
        60_000,
        500,
      )
      // The touch joined the incident of the page, which was alerted before; the scan is one of its own.
      assert.match(await slack.first, /"(text|blocks|attachments)"/)
      assert.match(await syslog.first, /^\d+ <\d+>1 /)
      slack.close()
      syslog.close()
      say(
        'behind nginx with TLS the Bird is back, nmap is an incident, Slack’s form and syslog over TLS have alerts',
      )

      console.bring(newerDeb)
      await console.type('pg_ctlcluster --skip-systemctl-redirect 15 main start')
      const operated = await follow('operate', { console, bird }, say)
      assert.match(operated, /^# HELP/m)
      assert.match(operated, /Unpacking rookery-console \(0\.1\.0-2\) over \(0\.1\.0-1\)/)
      assert.match(operated, /downgrading rookery-console/)
      assert.match(await incidents(console), /letmein/, 'The restored and moved console lacks the incident.')
      await touch(console, 'afterwards')
      await bird.type('systemctl restart rookery-bird')
      await touch(console, 'restarted')
      say('after an upgrade, the way back, a restore and the move to PostgreSQL, touches are incidents')
      await restoreElsewhere(console, bird, consoleDeb)
      say('a backup restored on the other machine has the incident')

      const shown = await follow('troubleshooting', { console, bird }, say)
      assert.match(shown, /Bird [0-9a-f]{16} is running on/)
      assert.match(shown, /"live":true/)
      await removed(console, 'rookery-console', 'rookery')
      await removed(bird, 'rookery-bird', 'rookery-bird')
      say('dpkg --remove keeps the data, dpkg --purge says what it deletes')
    } finally {
      receiver.close()
      stopNginx()
      await console
        .type('pg_ctlcluster --skip-systemctl-redirect 15 main stop || true')
        .catch(() => undefined)
      await bird.close()
      await console.close()
    }
  },
}

/** A restart waits until the Bird runs: what is typed first on its machine is the whole way of one more Bird. */
const isQuick = (machine: DebianMachine, say: Stage['say']): DebianMachine => ({
  ...machine,
  async type(commands) {
    const startedAt = performance.now()
    const printed = await machine.type(commands)
    if (!commands.startsWith('dpkg -i')) return printed
    say(`from dpkg -i to a Bird that runs: ${seconds(startedAt)}`)
    assert.ok(performance.now() - startedAt < BIRD_MS)
    return printed
  },
})

/** The proof's receiver is in the console's own network, which an option must allow. The first command installs the package. */
function reachesReceiver(machine: DebianMachine, say: Stage['say']): DebianMachine {
  return {
    ...machine,
    async type(commands) {
      const startedAt = performance.now()
      const printed = await machine.type(commands)
      if (!commands.startsWith('dpkg -i')) return printed
      const page = await machine.type('curl -sf http://127.0.0.1:8080/')
      assert.match(page, /<title>Rookery/)
      say(`from dpkg -i to the page: ${seconds(startedAt)}`)
      assert.ok(performance.now() - startedAt < PAGE_MS)
      appendFileSync(join(machine.root, 'etc/rookery/console.conf'), `ROOKERY_OUTBOUND_ALLOW=${CONSOLE}/32\n`)
      return printed
    },
  }
}

export default proof
