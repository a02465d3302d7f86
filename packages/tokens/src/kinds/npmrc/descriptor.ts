import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'npmrc',
  name: 'Token of an npm registry',
  shelf: 'Code and builds',
  keywords: ['npm', 'npmrc', 'registry', 'node', 'javascript', 'package', 'ci', 'yarn', 'pnpm'],
  firedBy:
    'Somebody uses the .npmrc: npm, yarn or pnpm send the first command that needs the registry to it, such as npm whoami or npm install.',
  silencedBy:
    'It stays silent where the token is tried at another registry, and with a scope, where only packages of other scopes are installed.',
  placement: [
    'Leave it as .npmrc in the home folder of a build agent or of a developer who has left.',
    'Commit it to a private repository, as people do by mistake.',
    'Put it into a container image or the archive of a build, where only an intruder looks.',
  ],
  logtype: '17901',
  keys: ['method', 'request', 'command', 'key_used', 'useragent'],
  evidence: ['command', 'request', 'key_used', 'useragent'],
  meaning:
    'Somebody called the registry that the .npmrc names. With key_used true they sent its token, so they have the file.',
  next: [
    'Treat the place of the file as read by an intruder, and look at who read it there.',
    'Change every real token and password that lies in the same place.',
    'Look for the source address in the logs of your real registry.',
  ],
  needsHttps: true,
  downloads: true,
  example: {
    needs: ['npm'],
    touch: 'download planted.npmrc && npm whoami --userconfig planted.npmrc',
  },
  settings: {
    npm_scope: {
      type: 'text',
      description: 'The scope whose packages come from the registry, without its @; without it all do',
      maxLength: 64,
      characters: 'a-z0-9-',
    },
  },
})
