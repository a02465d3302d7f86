import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'redis',
  title: 'Redis',
  transport: 'tcp',
  settings: {
    'redis.enabled': { type: 'boolean', default: false, title: 'Redis answers' },
    'redis.port': { type: 'port', default: 6379, title: 'Port of Redis' },
  },
  example: 'redis-cli -h {host} -p {port} info server',
  scanLine: '{port}/tcp open redis Redis key-value store 7.0.15',
  logtypes: [
    {
      logtype: '21001',
      summary: 'Redis Command',
      slug: 'redis',
      keys: ['CMD', 'ARGS'],
      level: 'tried',
      evidence: ['CMD', 'ARGS'],
      meaning: 'Someone sent commands to a Redis that no application uses.',
      next: [
        'Read the commands: CONFIG SET, MODULE, SLAVEOF and EVAL are attempts to take over the server; PSYNC, SYNC, DUMP and MIGRATE copy its data.',
        'Find the machine behind the source address.',
      ],
    },
  ],
})
