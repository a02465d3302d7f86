import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'ntp',
  title: 'NTP',
  transport: 'udp',
  answerBytes: 1_024,
  example: 'ntpq -c readvar {host}  # or, at any port: nmap -sU -p {port} --script +ntp-info {host}',
  scanLine: '{port}/udp open ntp NTP v4 (secondary server)',
  settings: {
    'ntp.enabled': { type: 'boolean', default: false, title: 'NTP answers' },
    'ntp.port': { type: 'port', default: 123, title: 'Port of NTP' },
  },
  logtypes: [
    {
      logtype: '11001',
      summary: 'NTP Monlist Request',
      slug: 'ntpmonlist',
      keys: ['NTP_CMD'],
      level: 'looked',
      evidence: ['NTP_CMD'],
      meaning: 'Someone asked an NTP server about itself or its clients, which no clock does.',
      next: [
        'Find the machine behind the source address, which a datagram may have forged.',
        'If many of them come, somebody looks for servers to attack others with, or uses this address for it.',
      ],
    },
  ],
})
