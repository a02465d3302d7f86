// Debian's web servers with the files of our skins.
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
import { join } from 'node:path'
import { makeCertificate } from './self-signed.ts'
import { REAL_HOST, type RealServer } from './real-server.ts'

const SKINS = join(import.meta.dirname, '../src/services/http/skins')

/** The files as they are served, touched to the skin's date. */
function copySkin(folder: string, skin: string): string {
  const web = join(folder, 'web')
  const files = join(SKINS, skin)
  cpSync(files, web, { recursive: true })
  const { modified } = JSON.parse(readFileSync(join(files, 'skin.json'), 'utf8')) as { modified: string }
  const at = Date.parse(modified) / 1000
  for (const entry of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
    if (entry === 'skin.json' || entry.endsWith('.gz')) rmSync(join(web, entry))
    else utimesSync(join(web, entry), at, at)
  }
  chmodSync(folder, 0o755)
  return web
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
  const [key, cert] = makeCertificate(folder)
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
  const root = join(folder, 'apache2')
  cpSync('/etc/apache2', root, { recursive: true, verbatimSymlinks: true })
  const web = copySkin(folder, skin)
  if (existsSync(join(web, 'incorrect.html')))
    renameSync(join(web, 'incorrect.html'), join(web, 'login.html'))
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

/** Debian's configuration and its default site. */
const nginxOfDebian = (folder: string) => prepareNginx(folder, copySkin(folder, 'nginx-default'), '', '')

/** The login form is passed on to an application: another nginx, over a socket of its own. */
const nginxWithPortal = (folder: string) => preparePortal(folder)

/** The same over TLS, with the lines that Debian's default site has as a comment. */
const nginxWithTls = (folder: string) => preparePortal(folder, makeCertificate(folder))

const preparePortal = (folder: string, certificate?: ReturnType<typeof makeCertificate>) => {
  const web = copySkin(folder, 'portal')
  const [form, wrong] = ['index.html', 'incorrect.html'].map((name) => readFileSync(join(web, name), 'utf8'))
  rmSync(join(web, 'incorrect.html'))
  const socket = `unix:${join(folder, 'portal.sock')}`
  const application = `server {
    listen ${socket};
    location = /login {
      default_type text/html;
      if ($request_method = POST) { return 200 '${wrong}'; }
      if ($request_method !~ ^(GET|HEAD)$) { return 405; }
      return 200 '${form}';
    }
  }`
  const [key, cert] = certificate ?? []
  const lines = certificate ? `ssl_certificate ${cert}; ssl_certificate_key ${key};\n` : ''
  const login = `location = /login { proxy_pass http://${socket}; }`
  return prepareNginx(folder, web, `${lines}${login}`, application, certificate ? '443 ssl' : '80')
}

const prepareNginx = (folder: string, web: string, locations: string, servers: string, port = '80') => {
  mkdirSync(join(folder, 'temp'))
  const site = readFileSync('/etc/nginx/sites-available/default', 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace('listen 80 default_server;', `listen ${REAL_HOST}:${port} default_server;`)
    .replace('listen [::]:80 default_server;', '')
    .replace('/var/www/html', web)
    .replace('server_name _;', `server_name _;\n${locations}`)
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, 'temp', name)};\n`,
  )
  const main = readFileSync('/etc/nginx/nginx.conf', 'utf8')
    .replace(/^include \/etc\/nginx\/modules-enabled.*$/m, '')
    .replace(/^(pid|error_log) .*$/gm, '')
    .replace(/^\s*(access_log|error_log) .*$/gm, '')
    .replace(/^\s*include \/etc\/nginx\/(conf\.d|sites-enabled).*$/gm, '')
    .replace('http {', `http {\naccess_log off;\n${temps.join('')}${site}\n${servers}\n`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${join(folder, 'nginx.pid')};\nerror_log stderr crit;\ndaemon off;\n${main}`)
  return { args: ['-c', file] }
}

/** Debian's configuration, as the firmware of a small device has it: HTTP/1.1 only, without packages that add folders. */
const lighttpdOfRouter = (folder: string) => prepareLighttpd(folder, 80, '')

/** As lighty-enable-mod ssl leaves it. */
const lighttpdWithTls = (folder: string) => {
  const [key, cert] = makeCertificate(folder)
  return prepareLighttpd(
    folder,
    443,
    `server.modules += ( "mod_openssl" )\nssl.engine = "enable"\nssl.pemfile = "${cert}"\nssl.privkey = "${key}"\n`,
  )
}

const prepareLighttpd = (folder: string, port: number, lines: string) => {
  const web = copySkin(folder, 'router')
  renameSync(join(web, 'denied.html'), join(folder, 'denied.html'))
  cpSync(join(web, 'index.html'), join(web, 'login.html'), { preserveTimestamps: true })
  const file = join(folder, 'lighttpd.conf')
  const form = `$HTTP["request-method"] == "POST" { $HTTP["url"] == "/login.html" { alias.url = ("/login.html" => "${folder}/denied.html") } }`
  writeFileSync(
    file,
    readFileSync('/etc/lighttpd/lighttpd.conf', 'utf8')
      .replace('"/var/www/html"', `"${web}"`)
      .replace('"/var/cache/lighttpd/uploads"', `"${folder}"`)
      .replace(/^server\.(errorlog|pid-file|username|groupname) .*$/gm, '')
      .replace(/^server\.port .*$/m, `server.port = ${port}\nserver.bind = "${REAL_HOST}"`)
      .replace(/("server\.h2(?:proto|c)"\s*=> )"enable"/g, '$1"disable"')
      .replace(/^include_shell .*use-ipv6.*$/m, 'etag.use-inode = "disable"')
      .replace(/^include .*$/m, `${lines}${form}`),
  )
  return { args: ['-D', '-f', file] }
}

const APACHE = { debian: 'apache2', program: '/usr/sbin/apache2', lab: 'http/apache' }
const LIGHTTPD = { debian: 'lighttpd', program: '/usr/sbin/lighttpd', lab: 'http/lighttpd' }
const NGINX = { debian: 'nginx', program: '/usr/sbin/nginx', lab: 'http/nginx' }

export const webServers: readonly RealServer[] = [
  { service: 'http', ...APACHE, port: 80, prepare: apache2 },
  {
    service: 'http',
    settings: ['http.skin=apache-default'],
    enduresAs: 'http',
    ...APACHE,
    port: 80,
    prepare: apache2OfDebian,
  },
  {
    service: 'http',
    settings: ['http.skin=basic-auth'],
    enduresAs: 'http',
    ...APACHE,
    port: 80,
    prepare: apache2WithBasic,
  },
  { service: 'http', settings: ['http.skin=portal'], ...NGINX, port: 80, prepare: nginxWithPortal },
  {
    service: 'http',
    settings: ['http.skin=nginx-default'],
    enduresAs: 'http http.skin=portal',
    ...NGINX,
    port: 80,
    prepare: nginxOfDebian,
  },
  { service: 'http', settings: ['http.skin=router'], ...LIGHTTPD, port: 80, prepare: lighttpdOfRouter },
  {
    service: 'https',
    otherwise: {
      'silence before the handshake': 'the kernel hands Apache a silent connection after half a minute',
      'drip before the handshake: the end of a hello':
        'Apache waits 5 minutes from the last byte on, the decoy from the connect on',
    },
    ...APACHE,
    lab: 'https/openssl',
    port: 443,
    prepare: apache2WithTls,
  },
  {
    service: 'https',
    settings: ['http.skin=portal'],
    ...NGINX,
    lab: 'https/openssl',
    port: 443,
    prepare: nginxWithTls,
  },
  {
    service: 'https',
    settings: ['http.skin=router'],
    goal: { equal: 95, because: 'node:tls names a session id to clients without tickets, lighttpd none' },
    otherwise: {
      'half-close at once':
        'OpenSSL’s alert about it meets a connection that is closed, and a reset comes back',
      'half-close before the handshake': 'lighttpd lets OpenSSL send its alert about it, the decoy closes',
      'drip before the handshake: the end of a hello':
        'lighttpd waits a minute from the last byte on, the decoy from the connect on; and the session id, as above',
    },
    ...LIGHTTPD,
    module: { debian: 'lighttpd-mod-openssl', file: '/usr/lib/lighttpd/mod_openssl.so' },
    lab: 'https/openssl',
    port: 443,
    prepare: lighttpdWithTls,
  },
]
