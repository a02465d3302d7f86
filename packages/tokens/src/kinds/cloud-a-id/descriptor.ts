import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'cloud-a-id',
  name: 'AWS access key',
  shelf: 'Accounts and keys',
  keywords: ['aws', 'amazon', 'cloud', 's3', 'iam', 'access key', 'credentials', 's3cmd', 'rclone', 'secret'],
  firedBy:
    'Somebody uses the key with the endpoint of its profile: aws, s3cmd, rclone and the SDKs of AWS send their first request there. A key of your own account fires wherever it is used: AWS records it, and reports it within half an hour.',
  silencedBy:
    'It stays silent where the key is tried without the endpoint: AWS itself does not know it, unless it is of your own account. aws reads the endpoint of a profile since 2.13 and 1.29 alone. After its expiry requests are shown in the history alone, and a key of your account is deleted.',
  placement: [
    'Leave it as .aws/credentials, .s3cfg or .config/rclone/rclone.conf in the home folder of a server or a build agent.',
    'Commit it to a private repository, next to scripts for backups.',
    'Store it in a password safe, a wiki page or the variables of a pipeline.',
  ],
  logtype: '17012',
  keys: [
    'service',
    'action',
    'region',
    'access_key_id',
    'signature_valid',
    'useragent',
    'event_source',
    'account',
    'error_code',
    'request_id',
    'is_feed_missing',
    'delay_s',
  ],
  evidence: ['service', 'action', 'signature_valid', 'event_source', 'error_code', 'useragent'],
  meaning:
    'Somebody used the key. With a valid signature, or reported by AWS, they have the secret: they read the file that the memo names. Without one they know the endpoint alone.',
  next: [
    'Treat the place of the key as read by an intruder, and look at who read it there.',
    'Change every real key and password that lies in the same place.',
    'Look for the source address and the user agent in the logs of your real cloud accounts.',
  ],
  needsHttps: true,
  provider: { name: 'aws', fixed: ['cloud_a_account', 'expiry'] },
  downloads: true,
  example: {
    touch:
      'curl -s -o /dev/null --aws-sigv4 aws:amz:us-east-1:sts -u "$(field access_key_id):$(field secret_access_key)" -d \'Action=GetCallerIdentity&Version=2011-06-15\' "$(field renders.endpoint_url)"',
  },
  settings: {
    expiry: {
      type: 'duration',
      description: 'How long requests with the key raise incidents; then a key of the own account is deleted',
      min: '1h',
      max: '10y',
    },
    cloud_a_account: {
      type: 'choice',
      description: 'Whose key it is: of the endpoint of this console, or of the own account at AWS',
      choices: ['endpoint', 'own'],
      default: 'endpoint',
    },
    cloud_a_client: {
      type: 'choice',
      description: 'The program whose configuration is downloaded',
      choices: ['aws', 's3cmd', 'rclone'],
      default: 'aws',
    },
  },
})
