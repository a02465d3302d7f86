import { describeService, PRINTABLE_ASCII, PRINTABLE_LINES } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'telnet',
  title: 'Telnet',
  transport: 'tcp',
  example: 'telnet {host} {port}',
  scanLine: '{port}/tcp open telnet',
  settings: {
    'telnet.authentication_failed_prompt': {
      type: 'text',
      default: 'Login incorrect',
      title: 'Line after a wrong password',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
    'telnet.banner': {
      type: 'text',
      default: '%s %r (%h) (%t)',
      title:
        'Lines above the first prompt; %s is the system, %r its release, %h the host name, %t the terminal',
      maxLength: 2_000,
      format: PRINTABLE_LINES,
    },
    'telnet.enabled': { type: 'boolean', default: false, title: 'Telnet answers' },
    'telnet.password_prompt': {
      type: 'text',
      default: 'Password: ',
      title: 'Prompt for the password',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
    'telnet.port': { type: 'port', default: 23, title: 'Port of Telnet' },
    'telnet.user_prompt': {
      type: 'text',
      default: '%h login: ',
      title: 'Prompt for the user name; %h is the host name',
      maxLength: 200,
      format: PRINTABLE_ASCII,
    },
  },
  logtypes: [
    {
      logtype: '6001',
      summary: 'Telnet Login Attempt',
      slug: 'telnetlogin',
      keys: ['USERNAME', 'PASSWORD', 'TERMSIZE', 'TERMTYPE'],
      level: 'tried',
      evidence: ['USERNAME', 'PASSWORD'],
      meaning: 'Someone tried to log in over Telnet to a machine that has no users.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If the password is in use anywhere, change it there: Telnet sends it unencrypted.',
      ],
    },
  ],
})
