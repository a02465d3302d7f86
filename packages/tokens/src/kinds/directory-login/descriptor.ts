import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'directory-login',
  name: 'Directory account',
  shelf: 'Hosts and networks',
  keywords: [
    'active directory',
    'account',
    'login',
    'logon',
    'kerberos',
    'windows',
    'samba',
    'domain',
    'user',
  ],
  firedBy:
    'Somebody logs on, or tries to, with one of the accounts: a domain controller reports its security event.',
  silencedBy:
    'It stays silent where the audit policy of the domain controllers does not record logons, where no script or feed runs, and where they cannot reach the console.',
  placement: [
    'Create accounts that nobody uses, such as an old administrator or a service account with a service principal name.',
    'Leave the name and a password of such an account in a script, a share or a description field.',
    'Run the script on a domain controller, or add the feed to the log shipper that runs there.',
  ],
  logtype: '16012',
  keys: [
    'username',
    'outcome',
    'workstation',
    'dc',
    'logon_type',
    'status',
    'reported_by',
    'src_host_left_out',
    'body_unread',
    'replays',
    'replayed_from',
  ],
  evidence: ['username', 'outcome', 'workstation'],
  meaning:
    'Somebody used an account of the directory that nobody uses. The source address is the one in the event of the domain controller.',
  next: [
    'Look at the machine with the source address: who is logged in there, and what ran just before.',
    'If the outcome is succeeded, disable the account and look for its other logons in the log of each domain controller.',
    'Check that reported_by is one of your domain controllers or log shippers: anybody who knows the address can post there.',
  ],
  downloads: true,
  lookUpCharacters: 176,
  example: {
    settings: { tokened_usernames: 'svc_backup' },
    touch:
      'curl -s -o /dev/null --json \'{"EventID":4625,"Computer":"dc1.corp.example","TargetUserName":"svc_backup","IpAddress":"192.0.2.9"}\' "$(field renders.url)"',
  },
  settings: {
    tokened_usernames: {
      type: 'list',
      description: 'Account names without domain, such as svc_backup, or up to 100 names',
      required: true,
      maxItems: 100,
      maxLength: 64,
      characters: '\\p{L}\\p{N}_. -',
    },
  },
})
