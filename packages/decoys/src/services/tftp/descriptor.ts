import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'tftp',
  title: 'TFTP',
  transport: 'udp',
  // A file of a router, in one block where the client wants it so.
  answerBytes: 2_052,
  example: 'echo get startup-config | tftp {host} {port}',
  scanLine: '{port}/udp open|filtered tftp',
  settings: {
    'tftp.enabled': { type: 'boolean', default: false, title: 'TFTP answers' },
    'tftp.port': { type: 'port', default: 69, title: 'Port of TFTP' },
  },
  logtypes: [
    {
      logtype: '10001',
      summary: 'TFTP Request',
      slug: 'tftp',
      keys: ['FILENAME', 'OPCODE', 'MODE', 'SIZE', 'SHA256'],
      level: 'tried',
      evidence: ['FILENAME', 'OPCODE', 'SHA256'],
      meaning: 'Someone asked a server that nobody uses for a file, or sent it one.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'Look whether a device of yours boots from here, or whether the file is a configuration that somebody wants.',
      ],
    },
  ],
})
