import { describeService, type SettingDescriptor } from '../../settings/descriptor.ts'
import { settingsOfEach } from '../../settings/instances.ts'
import { ESCAPED } from './escapes.ts'
import { JETDIRECT } from './jetdirect.ts'

const numbered = { service: 'tcpbanner', instances: 10 } as const

const bytes = (title: string, maxLength = 2_000): SettingDescriptor => ({
  type: 'text',
  default: '',
  title,
  maxLength,
  format: ESCAPED,
})

const FIND = 'Find the machine behind the source address and ask its owner.'
const MONITOR = 'Nothing, if the address is that of your monitor; otherwise change the secret.'
const common = { keys: ['BANNER_ID', 'DATA', 'FUNCTION'], evidence: ['DATA', 'BANNER_ID'] } as const

export const descriptor = describeService({
  ...numbered,
  title: 'Custom TCP services',
  transport: 'tcp',
  example: "printf 'HELO\\r\\n' | nc -w 2 {host} {port}",
  scanLine: '{port}/tcp open vcom-tunnel?',
  judgedBy: 'No real server is claimed: what it says is what its settings say.',
  presets: [
    {
      title: 'SMTP',
      settings: {
        'tcpbanner_1.port': 25,
        'tcpbanner_1.initbanner': '220 mail.example.com ESMTP Postfix (Debian/GNU)\\r\\n',
        'tcpbanner_1.datareceivedbanner': '502 5.5.2 Error: command not recognized\\r\\n',
      },
    },
    {
      title: 'POP3',
      settings: {
        'tcpbanner_1.port': 110,
        'tcpbanner_1.initbanner': '+OK Dovecot (Debian) ready.\\r\\n',
        'tcpbanner_1.datareceivedbanner': '-ERR Unknown command.\\r\\n',
      },
    },
    JETDIRECT,
    {
      title: 'X11',
      settings: {
        'tcpbanner_1.port': 6000,
        'tcpbanner_1.initbanner': '',
        'tcpbanner_1.datareceivedbanner':
          '\\x00\\x16\\x0b\\x00\\x00\\x00\\x06\\x00No protocol specified\\n\\x00\\x00',
      },
    },
  ],
  settings: {
    'tcpbanner.enabled': { type: 'boolean', default: false, title: 'Custom TCP services answer' },
    ...settingsOfEach(numbered, (number) => ({
      enabled: { type: 'boolean', default: number === 1, title: 'This one answers' },
      port: { type: 'port', default: 8_000 + number, title: 'Its port' },
      initbanner: bytes('What it sends to a client that connects'),
      datareceivedbanner: bytes('What it sends behind all data that it receives'),
    })),
    'tcpbanner_1.alertstring': bytes('The only data that is an incident, where that is switched on', 200),
    'tcpbanner_1.alertstring.enabled': {
      type: 'boolean',
      default: false,
      title: 'Only data that contains the text is an incident',
    },
    'tcpbanner_1.keep_alive.enabled': {
      type: 'boolean',
      default: false,
      title: 'A monitor of yours connects, and says a secret first; another client is an incident',
    },
    'tcpbanner_1.keep_alive_secret': {
      ...bytes('What the monitor says first', 200),
      secret: true,
      whenEmpty: 'Nobody is taken for the monitor.',
    },
  },
  logtypes: [
    {
      ...common,
      logtype: '20001',
      summary: 'Custom TCP Service Request: Connection',
      slug: 'tcpbannerconnection',
      level: 'looked',
      meaning: 'Someone connected to a port behind which nothing is.',
      next: [FIND],
    },
    {
      ...common,
      logtype: '20002',
      summary: 'Custom TCP Service Request: Data',
      slug: 'tcpbannerdata',
      level: 'tried',
      meaning: 'Someone sent data to a port behind which nothing is.',
      next: ['Read the data: it names the service or the weakness that is looked for.', FIND],
    },
    {
      ...common,
      logtype: '20003',
      summary: 'Custom TCP Service Request: Monitor Connected',
      slug: 'tcpbannermonitor',
      level: 'looked',
      meaning: 'A connection came to a port that a monitor of yours watches.',
      next: [MONITOR],
    },
    {
      ...common,
      logtype: '20004',
      summary: 'Custom TCP Service Request: Monitor Known',
      slug: 'tcpbannersecret',
      level: 'looked',
      meaning: 'A connection began with the secret of your monitor.',
      next: [MONITOR],
    },
    {
      ...common,
      logtype: '20005',
      summary: 'Custom TCP Service Request: Monitor Data',
      slug: 'tcpbannermonitordata',
      level: 'looked',
      meaning: 'Your monitor, or somebody with its secret, sent data.',
      next: [MONITOR],
    },
    {
      ...common,
      logtype: '20006',
      summary: 'Custom TCP Service Request: Monitor Refused',
      slug: 'tcpbannerrefused',
      level: 'tried',
      meaning: 'Someone who does not know its secret spoke to a port that is for your monitor alone.',
      next: [FIND],
    },
  ],
})
