import { describeService } from '../../descriptor.ts'

export const descriptor = describeService({
  service: 'redis',
  title: 'Redis',
  transport: 'tcp',
  settings: {
    'redis.enabled': { type: 'boolean', default: false, title: 'Redis answers' },
    'redis.port': { type: 'port', default: 6379, title: 'Port of Redis' },
  },
  example: 'redis-cli -h {host} -p {port} info server',
  logtypes: [{ logtype: '21001', summary: 'Redis Command', slug: 'redis', keys: ['CMD', 'ARGS'] }],
})
