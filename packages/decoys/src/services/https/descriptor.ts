import { describeService, PRINTABLE_LINES } from '../../settings/descriptor.ts'
import { descriptor as http } from '../http/descriptor.ts'

const fields = http.settings['http.headers']

const pem = {
  type: 'text',
  default: '',
  maxLength: 32_768,
  format: PRINTABLE_LINES,
  ofOneBird: true,
} as const

export const descriptor = describeService({
  service: 'https',
  title: 'Web server with TLS',
  transport: 'tcp',
  settings: {
    'https.certificate': {
      ...pem,
      title: 'Certificate of your own, as PEM, with those of its issuers behind it',
      mayBeMissing: true,
      whenEmpty: 'The Bird shows a certificate that it makes.',
    },
    'https.enabled': { type: 'boolean', default: false, title: 'The web server answers over TLS' },
    'https.headers': { ...fields, title: 'Further header fields of every answer over TLS, by name' },
    'https.headers.enabled': {
      type: 'boolean',
      default: false,
      title: 'Send the further header fields over TLS',
    },
    'https.key': {
      ...pem,
      secret: true,
      mayBeMissing: true,
      title: 'Private key of the certificate of your own, as PEM without a passphrase; RSA or EC',
    },
    'https.port': {
      type: 'port',
      default: 443,
      title: 'Port of the web server with TLS',
      mayBeMissing: true,
    },
    'https.redirect_http.enabled': {
      type: 'boolean',
      default: false,
      title: 'The web server without TLS redirects to the one with TLS, while both are on',
    },
  },
  example: "curl -sk -o /dev/null -d 'username=admin&password=admin' https://{host}:{port}/index.html",
  scanLine: '{port}/tcp open ssl/http Apache httpd 2.4.71 ((Debian))',
  judgedBy:
    'With the skins `printer` and `iis-default` it was compared with no real server, since none was there. With all others its TLS is compared with that of Debian’s Apache, nginx and lighttpd.',
  logtypes: [],
  reportsFor: 'http',
})
