import { describeService } from '../../descriptor.ts'

const keys = ['PATH', 'METHOD', 'USERAGENT', 'RESPONSE', 'SKIN', 'HOSTNAME'] as const

export const descriptor = describeService({
  service: 'http',
  title: 'Web server',
  transport: 'tcp',
  settings: {
    'http.banner': {
      type: 'text',
      default: 'Apache/2.4.71 (Debian)',
      title: 'Product in the Server field and under error pages',
      maxLength: 200,
    },
    'http.enabled': { type: 'boolean', default: false, title: 'The web server answers' },
    'http.headers': {
      type: 'json',
      shape: 'texts',
      default: {},
      title: 'Further header fields of every answer, by name',
    },
    'http.headers.enabled': { type: 'boolean', default: false, title: 'Send the further header fields' },
    'http.port': { type: 'port', default: 80, title: 'Port of the web server' },
    'http.skin': {
      type: 'choice',
      default: 'nas',
      choices: ['nas'],
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
  logtypes: [
    { logtype: '3000', summary: 'HTTP Page Load', slug: 'httppageload', keys },
    {
      logtype: '3001',
      summary: 'HTTP Login Attempt',
      slug: 'httplogin',
      keys: [...keys, 'USERNAME', 'PASSWORD'],
    },
    { logtype: '3002', summary: 'HTTP POST', slug: 'httppost', keys },
    { logtype: '3003', summary: 'HTTP Error Page', slug: 'httperror', keys },
    { logtype: '3004', summary: 'HTTP Service Scan', slug: 'httpscan', keys },
    { logtype: '3005', summary: 'HTTP API Request', slug: 'httpapi', keys: [...keys, 'HEADERS', 'POSTDATA'] },
    { logtype: '3006', summary: 'HTTP POST to an Error Page', slug: 'httpposterror', keys },
  ],
})
