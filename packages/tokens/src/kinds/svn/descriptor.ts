import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'svn',
  name: 'Subversion external',
  shelf: 'Code and builds',
  keywords: ['svn', 'subversion', 'repository', 'source code', 'externals', 'checkout', 'version control'],
  firedBy: 'Somebody checks out, updates or exports a Subversion repository in which the external is set.',
  silencedBy:
    'It stays silent where the client is called with --ignore-externals, and where its network neither resolves nor reaches the token host.',
  placement: [
    'Run the command at the top of a working copy of a repository that nobody should read any more, and commit it.',
    'Set it on a folder such as secrets or deployment, deep in a repository that people check out in parts.',
  ],
  logtype: '17010',
  keys: ['method', 'useragent', ...LOOK_UP_KEYS],
  evidence: ['useragent', 'method', 'qname'],
  meaning:
    'Somebody checked out, updated or exported the repository that the memo names. The source address is that of their client; of a look-up, that of their resolver.',
  next: [
    'Look in the log of the Subversion server for the same address and time: it has the account.',
    'Treat what lies in the repository as read: change the passwords and keys in it.',
    'If it is a build server or a mirror of yours, ignore its address.',
  ],
  example: {
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "$(field hostname)"',
  },
})
