import { describeService } from '../../settings/descriptor.ts'

export const descriptor = describeService({
  service: 'git',
  title: 'Git',
  transport: 'tcp',
  example: 'git ls-remote git://{host}:{port}/infrastructure.git',
  scanLine: '{port}/tcp open git?',
  settings: {
    'git.enabled': { type: 'boolean', default: false, title: 'Git answers' },
    'git.port': { type: 'port', default: 9_418, title: 'Port of Git' },
  },
  logtypes: [
    {
      logtype: '19001',
      summary: 'Git Repository Clone Attempt',
      slug: 'gitclone',
      keys: ['HOST', 'REPO'],
      level: 'tried',
      evidence: ['REPO', 'HOST'],
      meaning: 'Someone asked for a repository of a Git server that nobody uses.',
      next: [
        'Find the machine behind the source address and ask its owner.',
        'If such a repository exists elsewhere, look who has read it there.',
      ],
    },
  ],
})
