import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'git-remote',
  name: 'Git remote',
  shelf: 'Code and builds',
  keywords: ['git', 'remote', 'repository', 'source code', 'clone', 'deploy token', 'credentials', 'ci'],
  firedBy:
    'Somebody asks the repository for anything: git clone, fetch, ls-remote or push, a build server, or a browser that opens its address.',
  silencedBy:
    'It stays silent while the configuration is read alone, and where the network cannot reach the token host.',
  placement: [
    'Leave it as .git/config in a folder that a web server shows by mistake, or in a backup.',
    'Add the remote to a working copy on a build agent or a server, under a name that nobody fetches.',
    'Name the address in a script or a pipeline that never runs.',
  ],
  logtype: '17903',
  keys: ['method', 'request', 'service', 'username', 'key_used', 'useragent'],
  evidence: ['service', 'username', 'key_used', 'useragent'],
  meaning:
    'Somebody asked for the repository that the configuration names. With key_used true they sent its password, so they have the file.',
  next: [
    'Treat the place of the file as read by an intruder, and look at who read it there.',
    'Change every real password, token and key that lies in the same place.',
    'Look for the source address in the logs of your real Git server.',
  ],
  needsHttps: true,
  downloads: true,
  example: {
    needs: ['git'],
    touch: 'GIT_TERMINAL_PROMPT=0 git ls-remote "$(field renders.url)"',
  },
  settings: {
    git_repository: {
      type: 'text',
      description: 'The name of the repository',
      default: 'infrastructure',
      maxLength: 64,
      characters: 'A-Za-z0-9_-',
    },
  },
})
