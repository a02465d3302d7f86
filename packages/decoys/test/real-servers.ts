// The servers that our decoys claim to be, as Debian 12 configures them, on another address than ours.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Both may have the real port: the addresses differ. */
export const REAL_HOST = '127.0.0.2'

export interface RealServer {
  readonly service: string
  /** The service's settings that it is compared with, as `test/serve.ts` takes them; without it, the defaults. */
  readonly settings?: readonly string[]
  /** Why crowd, drips and silence are not compared. */
  readonly withoutEndurance?: string
  /** Debian's package, and the program that it installs. */
  readonly debian: string
  readonly program: string
  readonly port: number
  /** Writes what it needs into the folder; answers the arguments that keep it in the foreground. */
  readonly prepare: (folder: string) => { readonly args: readonly string[]; readonly env?: NodeJS.ProcessEnv }
}

const SKINS = join(import.meta.dirname, '../src/services/http/skins')

const vsftpd = (folder: string) => {
  mkdirSync('/run/vsftpd/empty', { recursive: true })
  const file = join(folder, 'vsftpd.conf')
  const ours = `listen=YES\nlisten_ipv6=NO\nlisten_address=${REAL_HOST}\nbackground=NO\n`
  writeFileSync(file, readFileSync('/etc/vsftpd.conf', 'utf8').replace(/^listen.*$/gm, '') + ours)
  return { args: [file] }
}

/** Debian's configuration, with the skin as webroot. The page after a login stands where the login form posts to. */
const apache2 = (folder: string) => prepareApache(folder, 80, 'nas', '')

const apache2OfDebian = (folder: string) => prepareApache(folder, 80, 'apache-default', '')

/** With a user whose password nobody knows. */
const apache2WithBasic = (folder: string) => {
  const users = join(folder, 'users')
  writeFileSync(users, 'operator:$apr1$unknown0$................................\n')
  const lines = `AuthType Basic\nAuthName "Operations"\nAuthUserFile ${users}\nRequire valid-user\n`
  return prepareApache(folder, 80, 'basic-auth', `<Location "/">\n${lines}</Location>\n`)
}

/** As a2enmod ssl leaves it, with a certificate as make-ssl-cert makes it. */
const apache2WithTls = (folder: string) => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-subj', '/CN=nas-000000'],
    ...['-addext', 'basicConstraints=CA:FALSE', '-addext', 'subjectAltName=DNS:nas-000000'],
    ...['-keyout', key, '-out', cert],
  ])
  const prepared = prepareApache(
    folder,
    443,
    'nas',
    `SSLEngine on\nSSLCertificateFile ${cert}\nSSLCertificateKeyFile ${key}\n`,
  )
  const modules = join(folder, 'apache2', 'mods-enabled')
  for (const file of ['ssl.load', 'ssl.conf', 'socache_shmcb.load'])
    if (!existsSync(join(modules, file))) symlinkSync(`../mods-available/${file}`, join(modules, file))
  return prepared
}

const prepareApache = (folder: string, port: number, skin: string, hostLines: string) => {
  const [root, web] = [join(folder, 'apache2'), join(folder, 'web')]
  cpSync('/etc/apache2', root, { recursive: true, verbatimSymlinks: true })
  const files = join(SKINS, skin)
  cpSync(files, web, { recursive: true })
  if (existsSync(join(web, 'incorrect.html')))
    renameSync(join(web, 'incorrect.html'), join(web, 'login.html'))
  const { modified } = JSON.parse(readFileSync(join(files, 'skin.json'), 'utf8')) as { modified: string }
  rmSync(join(web, 'skin.json'))
  for (const entry of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
    const at = Date.parse(modified) / 1000
    utimesSync(join(web, entry), at, at)
  }
  chmodSync(folder, 0o755)
  // As a stranger meets it: every client of the judge is local.
  const status = join(root, 'mods-available/status.conf')
  writeFileSync(status, readFileSync(status, 'utf8').replace('Require local', 'Require all denied'))
  writeFileSync(join(root, 'ports.conf'), `Listen ${REAL_HOST}:${port}\nServerName ${REAL_HOST}\n`)
  writeFileSync(
    join(root, 'sites-enabled/000-default.conf'),
    `<VirtualHost *:${port}>\n${hostLines}DocumentRoot ${web}\n</VirtualHost>\n<Directory ${web}>\nRequire all granted\n</Directory>\n`,
  )
  const env = {
    APACHE_RUN_USER: 'www-data',
    APACHE_RUN_GROUP: 'www-data',
    APACHE_PID_FILE: join(folder, 'apache2.pid'),
    APACHE_RUN_DIR: folder,
    APACHE_LOCK_DIR: folder,
    APACHE_LOG_DIR: folder,
    LANG: 'C',
  }
  return { args: ['-d', root, '-DFOREGROUND'], env }
}

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

export const realServers: readonly RealServer[] = [
  { service: 'ftp', debian: 'vsftpd', program: '/usr/sbin/vsftpd', port: 21, prepare: vsftpd },
  { service: 'http', debian: 'apache2', program: '/usr/sbin/apache2', port: 80, prepare: apache2 },
  {
    service: 'http',
    settings: ['http.skin=apache-default'],
    withoutEndurance: 'the same session as http',
    debian: 'apache2',
    program: '/usr/sbin/apache2',
    port: 80,
    prepare: apache2OfDebian,
  },
  {
    service: 'http',
    settings: ['http.skin=basic-auth'],
    withoutEndurance: 'the same session as http',
    debian: 'apache2',
    program: '/usr/sbin/apache2',
    port: 80,
    prepare: apache2WithBasic,
  },
  {
    service: 'https',
    withoutEndurance: 'Apache lets a handshake drip for ever',
    debian: 'apache2',
    program: '/usr/sbin/apache2',
    port: 443,
    prepare: apache2WithTls,
  },
  { service: 'redis', debian: 'redis-server', program: '/usr/bin/redis-server', port: 6379, prepare: redis },
  { service: 'ssh', debian: 'openssh-server', program: '/usr/sbin/sshd', port: 22, prepare: sshd },
]

/** The service, and the settings that are not its defaults. */
export const nameOf = ({ service, settings = [] }: RealServer): string => [service, ...settings].join(' ')

export const isInstalled = ({ program }: RealServer): boolean => existsSync(program)

export interface RunningProgram {
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts the server and waits until it listens. */
export async function startRealServer(server: RealServer, folder: string): Promise<RunningProgram> {
  const own = join(folder, nameOf(server).replace(/[ =]/g, '_'))
  mkdirSync(own, { recursive: true, mode: 0o755 })
  chmodSync(folder, 0o755)
  const { args, env } = server.prepare(own)
  return startProgram(
    server.program,
    args,
    { ...process.env, ...env },
    { host: REAL_HOST, port: server.port },
  )
}

/** Starts a program that listens, and waits until it does. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  place: { readonly host: string; readonly port: number },
): Promise<RunningProgram> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4_000)))
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; !(await accepts(place)); tries += 1) {
    if (tries > 300 || hasEnded(child))
      throw new Error(`${program} does not listen at ${place.host}:${place.port}. It said: ${said}`)
    await sleep(50)
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const accepts = (place: { readonly host: string; readonly port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(place, () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
