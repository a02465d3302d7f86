import { describeService, PRINTABLE_ASCII } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'httpproxy',
  title: 'HTTP proxy',
  transport: 'tcp',
  example: 'curl -x http://admin:letmein@{host}:{port} http://example.com/',
  scanLine: '{port}/tcp open http-proxy Squid http proxy 5.7',
  settings: {
    'httpproxy.banner': {
      type: 'text',
      default: 'squid/5.7',
      title: 'What its Server and Via fields and its pages say',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
    'httpproxy.enabled': { type: 'boolean', default: false, title: 'The HTTP proxy answers' },
    'httpproxy.port': { type: 'port', default: 3128, title: 'Port of the HTTP proxy' },
    'httpproxy.skin': {
      type: 'choice',
      default: 'squid',
      title: 'The proxy that it claims to be',
      choices: ['squid'],
      noEffect: 'Squid is the only proxy that it can be.',
    },
  },
  logtypes: [
    {
      logtype: '7001',
      summary: 'HTTP Proxy Request',
      slug: 'httpproxy',
      keys: ['URL', 'USERAGENT', 'USERNAME', 'PASSWORD'],
      level: 'tried',
      evidence: ['URL', 'USERNAME', 'PASSWORD'],
      meaning: 'Someone tried to reach another place through a proxy that nobody uses.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'Look at who else asked for the URL: it may be what the intruder is after.',
        'If the password is in use anywhere, change it there.',
      ],
    },
  ],
})
