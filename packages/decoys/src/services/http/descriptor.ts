import { describeService, PRINTABLE_ASCII } from '../../settings/descriptor.ts'

const keys = ['PATH', 'METHOD', 'USERAGENT', 'RESPONSE', 'SKIN', 'HOSTNAME', 'CHANNEL'] as const

export const descriptor = describeService({
  service: 'http',
  title: 'Web server',
  transport: 'tcp',
  settings: {
    'http.banner': {
      type: 'text',
      default: '',
      title: 'Product in the Server field and under error pages; empty: that of the skin’s server',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
    'http.enabled': { type: 'boolean', default: false, title: 'The web server answers' },
    'http.headers': {
      type: 'object',
      default: {},
      title: 'Further header fields of every answer, by name',
      // A field name is a token (RFC 9110, 5.6.2).
      names: {
        pattern: "[!#$%&'*+.^_`|~0-9A-Za-z\\-]{1,100}",
        expectation: 'a header field name of at most 100 characters',
      },
      format: PRINTABLE_ASCII,
      maxLength: 1_000,
    },
    'http.headers.enabled': { type: 'boolean', default: false, title: 'Send the further header fields' },
    'http.port': { type: 'port', default: 80, title: 'Port of the web server' },
    'http.skin': {
      type: 'choice',
      default: 'nas',
      choices: [
        'nas',
        'router',
        'printer',
        'portal',
        'apache-default',
        'nginx-default',
        'iis-default',
        'basic-auth',
      ],
      title: 'Pages that the web server shows',
    },
    'http.userwebroot_present': {
      type: 'boolean',
      default: false,
      title: 'A webroot was uploaded to this Bird',
      fixed: true,
    },
  },
  example: "curl -s -o /dev/null -d 'username=admin&password=admin' http://{host}:{port}/index.html",
  scanLine: '{port}/tcp open http Apache httpd 2.4.71 ((Debian))',
  judgedBy:
    'With the skins `printer` and `iis-default` it was compared with no real server, since none was there: the judges are Microsoft’s documents, RFC 9110 and 9112, manuals and published scans. With all others it is compared with Debian’s Apache, nginx and lighttpd.',
  logtypes: [
    {
      logtype: '3000',
      summary: 'HTTP Page Load',
      slug: 'httppageload',
      keys,
      level: 'looked',
      evidence: ['PATH', 'USERAGENT', 'HOSTNAME'],
      meaning: 'Someone opened a page of the decoy’s web server.',
      next: [
        'Find the machine behind the source address.',
        'A single page may be a mistake; many pages, or a login after them, are not.',
      ],
    },
    {
      logtype: '3001',
      summary: 'HTTP Login Attempt',
      slug: 'httplogin',
      keys: [...keys, 'USERNAME', 'PASSWORD'],
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD', 'PATH', 'USERAGENT'],
      meaning: 'Someone tried to log in to the web pages of a device that has no users.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password is in use anywhere, change it there.',
      ],
    },
    {
      logtype: '3002',
      summary: 'HTTP POST',
      slug: 'httppost',
      keys,
      level: 'looked',
      evidence: ['PATH', 'USERAGENT', 'HOSTNAME'],
      meaning: 'Someone sent data to a page of the decoy’s web server, without credentials.',
      next: [
        'Find the machine behind the source address.',
        'Search the path: it may name the weakness that was tried.',
      ],
    },
    {
      logtype: '3003',
      summary: 'HTTP Error Page',
      slug: 'httperror',
      keys,
      level: 'looked',
      evidence: ['PATH', 'METHOD', 'USERAGENT'],
      meaning:
        'Someone requested a page that the decoy does not have, as people and tools do that search for more.',
      next: [
        'Look at the paths: they show what was searched for.',
        'Find the machine behind the source address.',
      ],
    },
    {
      logtype: '3004',
      summary: 'HTTP Service Scan',
      slug: 'httpscan',
      keys,
      level: 'looked',
      evidence: ['USERAGENT', 'PATH', 'METHOD'],
      meaning: 'A scanner examined the decoy’s web server.',
      next: [
        'Check whether a scan of your own runs from this address, and put it on the ignore list if so.',
        'Otherwise find the machine.',
      ],
    },
    {
      logtype: '3005',
      summary: 'HTTP API Request',
      slug: 'httpapi',
      keys: [...keys, 'HEADERS', 'POSTDATA'],
      level: 'looked',
      evidence: ['PATH', 'POSTDATA', 'USERAGENT'],
      meaning: 'Someone sent an API request to the decoy’s web server.',
      next: [
        'Look for credentials and keys in headers and data, and change those that are in use.',
        'Find the machine behind the source address.',
      ],
    },
    {
      logtype: '3006',
      summary: 'HTTP POST to an Error Page',
      slug: 'httpposterror',
      keys,
      level: 'looked',
      evidence: ['PATH', 'USERAGENT', 'HOSTNAME'],
      meaning: 'Someone sent data to a page that the decoy does not have, often to exploit a known weakness.',
      next: ['Search the path: it may name the weakness that was tried.', 'Check your own servers for it.'],
    },
  ],
})
