// Alerts at rsyslog and syslog-ng, over TLS with certificates on both sides: each is one line, in every format, whatever an
// intruder wrote; none is lost over a restart; and how many there may be in a second.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { OutboundStream } from '@rookery/kernel/world.ts'
import { parseRanges } from '../../packages/console/src/addresses/ranges.ts'
import { fieldsOf } from '../../packages/console/src/notify/message/fields.ts'
import type { Message } from '../../packages/console/src/notify/message/message.ts'
import { descriptor } from '../../packages/console/src/notify/receivers/syslog/descriptor.ts'
import { FORMATS, type Format } from '../../packages/console/src/notify/receivers/syslog/line.ts'
import { openSender } from '../../packages/console/src/notify/receivers/syslog/sender.ts'
import type { SenderDeps, Target } from '../../packages/console/src/notify/senders/sender.ts'
import { openOutboundStream } from '../../packages/console/src/world/outbound-stream.ts'
import { systemClock, systemResolver } from '../../packages/console/src/world/system.ts'
import { makeAuthority, type TestAuthority } from '../../packages/console/test/certificates.ts'
import { hostileMessages } from '../../packages/console/test/hostile-messages.ts'
import { HOSTILE } from '../../packages/console/test/hostile.ts'
import { run } from './lib/command.ts'
import { listens } from './lib/listens.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const URL_OF_CONSOLE = 'https://rookery.example.com/'
const DAY_MS = 86_400_000
const MIN_PER_SECOND = 5_000

interface Collector {
  readonly port: number
  readonly file: string
  start(): Promise<void>
  /** As a service manager does it. */
  stop(): Promise<void>
}

interface Ground extends Stage {
  readonly authority: TestAuthority
  readonly stream: OutboundStream
}

const linesOf = ({ file }: Collector): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []

function collector(
  name: string,
  { port, file }: Pick<Collector, 'port' | 'file'>,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Collector {
  let child: ChildProcess | undefined
  return {
    port,
    file,
    async start() {
      const [program, ...args] = command
      child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
      let said = ''
      child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await listens(port).catch((error: unknown) => {
        throw new Error(`${(error as Error).message} ${name} said: ${said}`)
      })
    },
    async stop() {
      const ended = child && once(child, 'exit')
      child?.kill('SIGTERM')
      await ended
    },
  }
}

/** What its server shows, and what it asks of clients: a certificate of the same authority. */
function certificates(
  folder: string,
  { ca, key, cert }: TestAuthority,
): Record<'ca' | 'key' | 'cert', string> {
  const paths = { ca: join(folder, 'ca.pem'), key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  writeFileSync(paths.ca, ca)
  writeFileSync(paths.key, key)
  writeFileSync(paths.cert, cert)
  return paths
}

function rsyslog({ folder, authority }: Ground): Collector {
  const own = join(folder, 'rsyslog')
  mkdirSync(own)
  const { ca, key, cert } = certificates(own, authority)
  const file = join(own, 'out.log')
  writeFileSync(
    join(own, 'rsyslog.conf'),
    `global(workDirectory="${own}" net.enableDNS="off" maxMessageSize="64k" parser.escapeControlCharactersOnReceive="off"
  defaultNetstreamDriver="ossl" defaultNetstreamDriverCAFile="${ca}"
  defaultNetstreamDriverCertFile="${cert}" defaultNetstreamDriverKeyFile="${key}")
main_queue(queue.timeoutshutdown="10000")
module(load="imtcp" streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="x509/certvalid")
template(name="asItCame" type="string" string="%rawmsg%\\n")
input(type="imtcp" port="6514")
action(type="omfile" file="${file}" template="asItCame")
`,
  )
  const args = ['-n', '-f', join(own, 'rsyslog.conf'), '-i', join(own, 'pid')]
  return collector('rsyslog', { port: 6514, file }, ['rsyslogd', ...args])
}

/** Debian lets one logger be installed at a time, so this one is unpacked. */
async function syslogNg({ folder, authority }: Ground): Promise<Collector> {
  const own = join(folder, 'syslog-ng')
  const tree = join(own, 'tree')
  mkdirSync(tree, { recursive: true })
  const packages = ['syslog-ng-core', 'libivykis0', 'libnet1', 'libpcre3', 'libwrap0', 'libjson-c5']
  const script = `cd ${own} && apt-get download ${packages.join(' ')} && for it in *.deb; do dpkg-deb -x $it tree; done`
  const { code, stderr } = await run('sh', ['-c', script], { patienceMs: 120_000 })
  assert.equal(code, 0, `syslog-ng was not unpacked: ${stderr}`)
  const { ca, key, cert } = certificates(own, authority)
  const file = join(own, 'out.log')
  writeFileSync(
    join(own, 'syslog-ng.conf'),
    `@version: 3.35
options { keep-hostname(yes); log-msg-size(65536); };
source in { network(ip("127.0.0.1") port(6515) transport("tls") flags(syslog-protocol no-parse)
  tls(key-file("${key}") cert-file("${cert}") ca-file("${ca}") peer-verify(required-trusted))); };
destination out { file("${file}" template("$MSG\\n")); };
log { source(in); destination(out); };
`
      .replace('network(', 'syslog(')
      .replace('flags(syslog-protocol no-parse)', 'flags(no-parse)'),
  )
  const libraries = ['usr/lib/syslog-ng', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
  const [modules, control] = [join(tree, 'usr/lib/syslog-ng/3.38'), join(own, 'control')]
  const paths = ['--persist-file', join(own, 'persist'), '--pidfile', join(own, 'pid'), '--control', control]
  return collector(
    'syslog-ng',
    { port: 6515, file },
    [
      join(tree, 'usr/sbin/syslog-ng'),
      ...['-F', '--no-caps', '-f', join(own, 'syslog-ng.conf'), '--module-path', modules, ...paths],
    ],
    { LD_LIBRARY_PATH: libraries.map((it) => join(tree, it)).join(':') },
  )
}

function target(
  { authority }: Ground,
  port: number,
  format: Format,
  client = authority.issue(['console.test']),
): Target {
  const form = descriptor.parse({
    host: '127.0.0.1',
    port,
    protocol: 'tls',
    format,
    tried_logins: false,
    ca: authority.ca,
    client_cert: client.cert,
    client_key: client.key,
  })
  const { secret = '', settings = {}, url } = form
  return { kind: descriptor.kind, webhookId: 'a', url: url.href, headers: {}, secret, settings }
}

const senderOf = ({ stream }: Ground, timeoutMs = 5_000) =>
  openSender({ world: { outboundStream: stream }, timeoutMs } as unknown as SenderDeps)

/** Each message with hostile texts is one line, which bears its id. */
async function oneLineEach(ground: Ground, name: string, to: Collector): Promise<void> {
  const send = senderOf(ground)
  for (const format of FORMATS) {
    const before = linesOf(to).length
    const messages = HOSTILE.flatMap((text) => hostileMessages(text, URL_OF_CONSOLE))
    const at = target(ground, to.port, format)
    for (const [n, message] of messages.entries()) await send(at, message, `msg_${format}_${n}`)
    const lines = await until(
      `${messages.length} lines of ${format} at ${name}`,
      () => {
        const now = linesOf(to).slice(before)
        return now.length >= messages.length ? now : undefined
      },
      30_000,
    )
    await wait(200)
    assert.equal(linesOf(to).length - before, messages.length, `${name}, ${format}: one line each`)
    for (const [n, line] of lines.entries())
      assert.ok(line.includes(`messageId="msg_${format}_${n}"`), `${name}, ${format}: ${line.slice(0, 200)}`)
    readBack(format, lines, messages)
    ground.say(`${name}: ${messages.length} messages with hostile texts in ${format}, one line each`)
  }
}

/** The JSON formats read back to what was meant. */
function readBack(format: Format, lines: readonly string[], messages: readonly Message[]): void {
  if (format !== 'ecs' && format !== 'ocsf') return
  for (const [n, line] of lines.entries()) {
    const message = messages[n]
    if (!message) continue
    const read = JSON.parse(line.slice(line.indexOf(' {') + 1)) as {
      event?: { id: string }
      finding_info?: { uid: string }
    }
    const { id } = fieldsOf(message, `msg_${format}_${n}`, false)
    assert.equal(read.event?.id ?? read.finding_info?.uid, id)
  }
}

/** As many as there are in some seconds, one after the other, as the queue of a receiver sends them. */
async function measure(ground: Ground, to: Collector): Promise<void> {
  const send = senderOf(ground)
  const at = target(ground, to.port, 'cef')
  const [message] = hostileMessages('root', URL_OF_CONSOLE)
  assert.ok(message)
  const before = linesOf(to).length
  const startedAt = performance.now()
  let n = 0
  while (performance.now() - startedAt < 5_000) await send(at, message, `msg_rate_${n++}`)
  const seconds = (performance.now() - startedAt) / 1_000
  await until('every line', () => linesOf(to).length - before >= n || undefined, 60_000, 100)
  const written = (performance.now() - startedAt) / 1_000
  const rate = Math.round(n / seconds)
  ground.say(
    `${n} events in ${seconds.toFixed(1)} s: ${rate} a second sent, ${Math.round(n / written)} written`,
  )
  assert.ok(rate >= MIN_PER_SECOND, `${rate} events a second; ${MIN_PER_SECOND} were promised`)
}

/** rsyslog goes and comes back while messages are sent; what fails is tried again, as the queue does. */
async function restart(ground: Ground, to: Collector): Promise<void> {
  const send = senderOf(ground)
  const at = target(ground, to.port, 'plain')
  const [message] = hostileMessages('root', URL_OF_CONSOLE)
  assert.ok(message)
  let isOver = false
  let sent = 0
  let failed = 0
  const sending = (async () => {
    for (; !isOver; sent++) {
      for (;;) {
        try {
          await send(at, message, `msg_restart_${sent}.`)
          break
        } catch {
          failed++
          await wait(20)
        }
      }
      if (sent % 10 === 0) await wait(1)
    }
  })()
  await wait(1_500)
  const before = sent
  await to.stop()
  await wait(1_000)
  await to.start()
  await wait(3_000)
  isOver = true
  await sending
  const ids = (): string[] => linesOf(to).map((line) => /msg_restart_\d+\./.exec(line)?.[0] ?? '')
  const wanted = Array.from({ length: sent }, (_, n) => `msg_restart_${n}.`)
  const lost = await until(
    'the last message',
    () => {
      const there = new Set(ids())
      return there.has(wanted.at(-1) ?? '') ? wanted.filter((it) => !there.has(it)) : undefined
    },
    20_000,
    100,
  )
  const again = ids().filter((it) => it !== '').length - (sent - lost.length)
  ground.say(
    `rsyslog restarted after ${before} of ${sent} messages: ${lost.length} lost, ${again} came twice under their id, ${failed} tries failed`,
  )
  assert.deepEqual(lost, [])
}

/** What the log of deliveries says, and so what a person reads. */
async function reasons(ground: Ground, to: Collector): Promise<void> {
  const { authority } = ground
  const [message] = hostileMessages('root', URL_OF_CONSOLE)
  assert.ok(message)
  const why = (at: Target, timeoutMs?: number): Promise<string> =>
    senderOf(ground, timeoutMs)(at, message, 'msg_why').then(
      () => 'nothing',
      (error: unknown) => (error as Error).message,
    )
  const now = Date.now()
  const expired = authority.issue(['console.test'], { notBefore: now - 9 * DAY_MS, notAfter: now - DAY_MS })
  const old = await why(target(ground, to.port, 'plain', expired))
  ground.say(`a client certificate that has expired: ${old}`)
  assert.match(old, /has expired on .*: add it again with a new client_cert/)
  const elsewhere = target(ground, to.port, 'plain')
  const other = { ...elsewhere.settings, host: 'localhost' }
  const named = await why({ ...elsewhere, settings: other })
  ground.say(`a collector with another name: ${named}`)
  assert.match(named, /certificate is for .*, not for localhost: give it by a name/)

  const deaf = createServer((socket) => void socket.pause())
  deaf.listen(6516, '127.0.0.1')
  await once(deaf, 'listening')
  const at = target(ground, 6516, 'plain')
  const tcp = { ...at, settings: { ...at.settings, protocol: 'tcp', ca: '', cert: '' }, secret: '' }
  const stopped = await laterReason(() => why(tcp, 1_000))
  ground.say(`a peer that stops reading: ${stopped}`)
  assert.match(stopped, /has read nothing for 1 s/)
  deaf.close()
}

/** The system takes much before a peer that does not read is noticed. */
async function laterReason(ask: () => Promise<string>): Promise<string> {
  for (let n = 0; n < 200_000; n++) {
    const said = await ask()
    if (said !== 'nothing') return said
  }
  return 'nothing'
}

const proof: Proof = {
  title:
    'rsyslog and syslog-ng get each alert as one line over TLS, in every format; none is lost over a restart; 5,000 a second',
  needs: ['rsyslogd', 'dpkg-deb', 'sh'],
  packages: ['rsyslog-openssl'],
  isIsolated: false,
  limitMs: 300_000,
  async prove(stage) {
    const stream = openOutboundStream(parseRanges('127.0.0.0/8', 'allow'), systemResolver, systemClock)
    const ground: Ground = { ...stage, authority: makeAuthority(), stream }
    const first = rsyslog(ground)
    await first.start()
    await oneLineEach(ground, 'rsyslog', first)
    await measure(ground, first)
    await restart(ground, first)
    await reasons(ground, first)
    await first.stop()
    const second = await syslogNg(ground)
    await second.start()
    await oneLineEach(ground, 'syslog-ng', second)
    await second.stop()
    stream.close()
  },
}

export default proof
