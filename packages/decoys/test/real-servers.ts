// The servers that our decoys claim to be, as Debian 12 configures them, on another address than ours.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descriptors } from '../src/descriptors.gen.ts'
import { storyOf } from '../src/machine/story.ts'
import { startupConfig } from '../src/services/tftp/startup-config.ts'
import { FILES } from '../lab/tftp/client.ts'
import { passwordFile } from '../lab/vnc/tightvnc/client.ts'
import { freeDisplay } from './free-display.ts'
import { defaultSettings } from './default-settings.ts'
import { ourHost, REAL_HOST, type RealServer } from './real-server.ts'
import { realSamba } from './real-samba.ts'
import { telnetServers } from './real-telnet.ts'
import { webServers } from './real-web-servers.ts'
import { makeCertificate } from './self-signed.ts'
import { deriveFrom, SERVED_BIRD } from './session-context.ts'

const vsftpd = (folder: string) => {
  mkdirSync('/run/vsftpd/empty', { recursive: true })
  const file = join(folder, 'vsftpd.conf')
  const ours = `listen=YES\nlisten_ipv6=NO\nlisten_address=${REAL_HOST}\nbackground=NO\n`
  writeFileSync(file, readFileSync('/etc/vsftpd.conf', 'utf8').replace(/^listen.*$/gm, '') + ours)
  return { args: [file] }
}

/** On a folder without repositories. */
const gitDaemon = (folder: string) => ({
  args: [`--listen=${REAL_HOST}`, '--reuseaddr', `--base-path=${folder}`, folder],
})

/** Of a copy of Debian's file: CONFIG REWRITE changes it. */
const redis = (folder: string) => {
  const file = join(folder, 'redis.conf')
  const ours = `\nbind ${REAL_HOST}\nprotected-mode no\ndaemonize no\nsupervised no\ndir ${folder}\nlogfile ""\npidfile ${join(folder, 'redis.pid')}\n`
  writeFileSync(file, readFileSync('/etc/redis/redis.conf', 'utf8') + ours)
  return { args: [file] }
}

const sshd = (folder: string) => {
  mkdirSync('/run/sshd', { recursive: true })
  const keys = ['rsa', 'ecdsa', 'ed25519'].map((type) => {
    const file = join(folder, `host_${type}`)
    spawnSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', file])
    return `HostKey ${file}`
  })
  const file = join(folder, 'sshd_config')
  writeFileSync(
    file,
    [
      `ListenAddress ${REAL_HOST}`,
      ...keys,
      'PidFile none',
      readFileSync('/etc/ssh/sshd_config', 'utf8').replace(/^Include.*$/gm, ''),
    ].join('\n'),
  )
  return { args: ['-D', '-e', '-f', file] }
}

/**
 * Debian's configuration, open to the network and with TLS. Only `root` and `mysql` may come from elsewhere, by passwords that
 * nobody knows.
 */
const mariadb = (folder: string) => {
  const data = join(folder, 'data')
  const [key, cert] = makeCertificate(folder)
  spawnSync('mariadb-install-db', [
    ...['--no-defaults', '--user=root', '--skip-test-db', '--auth-root-authentication-method=normal'],
    `--datadir=${data}`,
  ])
  const secret = randomBytes(24).toString('hex')
  const accounts = join(folder, 'accounts.sql')
  writeFileSync(
    accounts,
    [
      "DELETE FROM mysql.global_priv WHERE User IN ('', 'root', 'mysql');",
      'FLUSH PRIVILEGES;',
      ...['root', 'mysql'].map((user) => `CREATE USER ${user}@'%' IDENTIFIED BY '${secret}';`),
    ].join('\n'),
  )
  return {
    args: [
      '--defaults-file=/etc/mysql/mariadb.cnf',
      '--user=root',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--bind-address=${REAL_HOST}`,
      `--init-file=${accounts}`,
      `--ssl-key=${key}`,
      `--ssl-cert=${cert}`,
    ],
  }
}

/** An orphan, which has the time of its own machine, and whose admin lets the network ask. It listens where the machine has addresses. */
const ntpd = (folder: string) => {
  const file = join(folder, 'ntp.conf')
  const lines = [
    'tos orphan 5 orphanwait 1',
    'restrict 127.0.0.0 mask 255.0.0.0',
    'interface ignore wildcard',
  ]
  writeFileSync(file, [`driftfile ${join(folder, 'drift')}`, ...lines, ''].join('\n'))
  const start = `ip address add ${REAL_HOST}/32 dev lo; exec /usr/sbin/ntpd -n -c ${file}`
  return { program: '/bin/sh', args: ['-c', start] }
}

/** Debian's configuration with another address, on a machine of our decoy's name. */
const snmpd = (folder: string) => {
  const file = join(folder, 'snmpd.conf')
  const debian = readFileSync('/etc/snmp/snmpd.conf', 'utf8')
  writeFileSync(file, debian.replace(/^agentaddress.*$/m, `agentaddress udp:${REAL_HOST}:161`))
  const env = { SNMP_PERSISTENT_DIR: folder, MIBS: '' }
  return { args: ['-f', '-Lo', '-C', '-c', file, '-p', join(folder, 'pid')], env }
}

const ROUTER = ['http.enabled=true', 'http.skin=router']

/** With `--create`, on a folder that its user may write, and in it the files that our decoy has. */
const tftpd = (folder: string) => {
  const root = join(folder, 'root')
  mkdirSync(root)
  chmodSync(root, 0o777)
  const settings = defaultSettings(descriptors, { 'http.enabled': true, 'http.skin': 'router' })
  const derive = deriveFrom(SERVED_BIRD)
  const config = startupConfig(storyOf(settings, derive), ourHost('udp'), derive)
  for (const [name, bytes] of [...FILES, ['startup-config', Buffer.from(config)] as const]) {
    writeFileSync(join(root, name), bytes)
    chmodSync(join(root, name), 0o666)
  }
  const args = `--foreground --user tftp --address ${REAL_HOST}:69 --secure --create ${root}`
  // It asks for addresses but 127.0.0.1 before it takes one.
  const start = `ip address add ${REAL_HOST}/32 dev lo; exec /usr/sbin/in.tftpd ${args}`
  return { program: '/bin/sh', args: ['-c', start] }
}

/** As Debian's tigervncserver starts it when others may connect; nobody knows the password. */
const tigervnc = (folder: string) => {
  const password = join(folder, 'passwd')
  writeFileSync(password, randomBytes(8))
  const display = [
    '-rfbport',
    '5900',
    '-interface',
    REAL_HOST,
    '-geometry',
    '1024x768',
    '-depth',
    '24',
    freeDisplay(77),
  ]
  return { args: ['-SecurityTypes', 'VncAuth,TLSVnc', '-PasswordFile', password, ...display] }
}

/** By the command that Debian's tightvncserver runs. */
const tightvnc = (folder: string) => {
  const password = join(folder, 'passwd')
  writeFileSync(password, passwordFile())
  const display = [
    '-geometry',
    '1024x768',
    '-depth',
    '24',
    '-desktop',
    'X',
    '-fp',
    '/usr/share/fonts/X11/misc/',
  ]
  const rfb = ['-rfbwait', '120000', '-rfbauth', password, '-rfbport', '5900', '-interface', REAL_HOST]
  return { args: [freeDisplay(67), ...display, ...rfb] }
}

/** Debian's configuration, which wants a password of everyone; nobody knows it. */
const squid = (folder: string) => {
  const [file, passwords] = [join(folder, 'squid.conf'), join(folder, 'passwords')]
  writeFileSync(passwords, 'operator:$apr1$unknown0$................................\n')
  const settings = defaultSettings(descriptors, { 'device.name': 'Bird', 'httpproxy.enabled': true })
  const { hostName } = storyOf(settings, deriveFrom(SERVED_BIRD))
  const ours = [
    `http_port ${REAL_HOST}:3128`,
    `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${passwords}`,
    'acl auth proxy_auth REQUIRED',
    'http_access deny !auth',
    `visible_hostname ${hostName}`,
    `pid_filename ${join(folder, 'pid')}`,
    ...['pinger_enable off', 'access_log none', 'cache_log /dev/null', 'shutdown_lifetime 1 second'],
  ]
  const debian = readFileSync('/etc/squid/squid.conf', 'utf8').replace(/^(http_port|coredump_dir) .*$/gm, '')
  writeFileSync(file, [...ours, debian].join('\n'))
  return { args: ['-N', '-f', file] }
}

export const realServers: readonly RealServer[] = [
  {
    service: 'ftp',
    lab: 'ftp/vsftpd',
    debian: 'vsftpd',
    program: '/usr/sbin/vsftpd',
    port: 21,
    prepare: vsftpd,
  },
  {
    service: 'git',
    lab: 'git/git-daemon',
    otherwise: {
      '200 connections of one source, held open, then asked':
        'it ends its newest client for the next one, one a second; the decoy turns the next one away',
    },
    debian: 'git',
    program: '/usr/lib/git-core/git-daemon',
    port: 9_418,
    prepare: gitDaemon,
  },
  ...webServers,
  realSamba,
  {
    service: 'dbsrv_b',
    lab: 'mysql/mariadb',
    debian: 'mariadb-server',
    program: '/usr/sbin/mariadbd',
    port: 3306,
    prepare: mariadb,
  },
  {
    service: 'ntp',
    lab: 'ntp/ntpsec',
    isNotTried: 'by UDP there are no connections',
    debian: 'ntpsec',
    program: '/usr/sbin/ntpd',
    port: 123,
    transport: 'udp',
    prepare: ntpd,
  },
  {
    service: 'redis',
    lab: 'redis/redis-server',
    debian: 'redis-server',
    program: '/usr/bin/redis-server',
    port: 6379,
    prepare: redis,
  },
  {
    service: 'snmp',
    lab: 'snmp/net-snmp',
    isNotTried: 'by UDP there are no connections',
    debian: 'snmpd',
    program: '/usr/sbin/snmpd',
    port: 161,
    transport: 'udp',
    prepare: snmpd,
  },
  {
    service: 'ssh',
    lab: 'ssh/openssh',
    debian: 'openssh-server',
    program: '/usr/sbin/sshd',
    port: 22,
    prepare: sshd,
  },
  ...telnetServers,
  {
    service: 'httpproxy',
    lab: 'httpproxy/squid',
    debian: 'squid',
    program: '/usr/sbin/squid',
    port: 3128,
    prepare: squid,
  },
  {
    service: 'tftp',
    settings: ROUTER,
    lab: 'tftp/tftpd-hpa',
    isNotTried: 'by UDP there are no connections',
    debian: 'tftpd-hpa',
    program: '/usr/sbin/in.tftpd',
    port: 69,
    transport: 'udp',
    prepare: tftpd,
  },
  {
    service: 'vnc',
    lab: 'vnc/tigervnc',
    debian: 'tigervnc-standalone-server',
    program: '/usr/bin/Xtigervnc',
    port: 5900,
    prepare: tigervnc,
  },
  {
    service: 'vnc',
    settings: ['vnc.version=tightvnc-1.3.10'],
    lab: 'vnc/tightvnc',
    isNotTried: 'Xtightvnc serves one client at a time: who sends part of a message holds all others up',
    debian: 'tightvncserver',
    program: '/usr/bin/Xtightvnc',
    module: { debian: 'xfonts-base', file: '/usr/share/fonts/X11/misc/fonts.dir' },
    port: 5900,
    prepare: tightvnc,
  },
]

/** The service, and the settings that are not its defaults. */
export const nameOf = ({ service, settings = [] }: RealServer): string => [service, ...settings].join(' ')

export const isInstalled = ({ program, superserver, module }: RealServer): boolean =>
  [program, superserver?.program ?? program, module?.file ?? program].every((file) => existsSync(file))

/** Debian's packages that it needs. */
export const packagesOf = ({ debian, superserver, module }: RealServer): readonly string[] =>
  [debian, superserver?.debian, module?.debian].filter((name) => name !== undefined)

export interface RunningProgram {
  readonly pid: number
  readonly child: ChildProcess
  /** The end of what it printed. */
  readonly said: () => string
  readonly stop: () => Promise<void>
}

/** Starts the server and waits until it listens. */
export async function startRealServer(server: RealServer, folder: string): Promise<RunningProgram> {
  const own = join(folder, nameOf(server).replace(/[ =]/g, '_'))
  mkdirSync(own, { recursive: true, mode: 0o755 })
  chmodSync(folder, 0o755)
  const { program = server.program, args, env } = server.prepare(own)
  const { port, transport } = server
  return startProgram(program, args, { ...process.env, ...env }, { host: REAL_HOST, port, transport })
}

export interface Place {
  readonly host: string
  readonly port: number
  readonly transport?: RealServer['transport'] | undefined
}

/** Starts a program that listens, and waits until it does; `channel`: messages can be exchanged with it. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  place: Place,
  channel: readonly 'ipc'[] = [],
): Promise<RunningProgram> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe', ...channel] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; !(await accepts(place)); tries += 1) {
    if (tries > 300 || hasEnded(child))
      throw new Error(`${program} does not listen at ${place.host}:${place.port}. It said: ${said}`)
    await sleep(50)
  }
  return {
    pid: child.pid ?? 0,
    child,
    said: () => said,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

/** The system's table of sockets has each address backwards, in hexadecimal. */
function isBound({ host, port }: Place): boolean {
  const address = Buffer.from(host.split('.').map(Number).reverse()).toString('hex')
  const name = `${address}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
  return readFileSync('/proc/net/udp', 'utf8').includes(` ${name} `)
}

const accepts = (place: Place): Promise<boolean> =>
  new Promise((resolve) => {
    if (place.transport === 'udp') return resolve(isBound(place))
    const socket = connect(place, () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
