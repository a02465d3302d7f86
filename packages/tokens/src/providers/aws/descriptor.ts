import { describeProvider } from '../../provider-descriptor.ts'

export const descriptor = describeProvider({
  provider: 'aws',
  name: 'Amazon Web Services',
  options: {
    ROOKERY_AWS_ACCESS_KEY_ID: {
      title: 'Access key by which the console makes users of AWS whose keys are planted',
      wants: 'the id of an access key, such as AKIAIOSFODNN7EXAMPLE',
      type: 'text',
      pattern: 'A[A-Z0-9]{15,127}',
    },
    ROOKERY_AWS_SECRET_ACCESS_KEY: {
      title: 'The secret of this access key',
      wants: 'a secret access key',
      type: 'text',
      secret: true,
    },
    ROOKERY_AWS_TOPIC: {
      title: 'The topic of SNS that reports uses of planted keys',
      wants: 'the ARN of a topic, such as arn:aws:sns:us-east-1:123456789012:rookery',
      type: 'text',
      pattern: 'arn:aws:sns:[a-z0-9-]{1,32}:\\d{12}:[A-Za-z0-9_-]{1,256}',
    },
    ROOKERY_AWS_PATH: {
      title: 'The path of the users in the account, which an intruder can see',
      wants: 'a path that begins and ends with a slash, such as /service/',
      type: 'text',
      pattern: '/([!-.0-~]{1,64}/)?',
      default: '/service/',
      optional: true,
    },
    ROOKERY_AWS_ENDPOINT: {
      title: 'Where IAM and SNS are called instead of AWS itself',
      wants: 'an http(s) URL',
      type: 'url',
      optional: true,
    },
  },
  takesFeed: true,
  pollMs: 3_600_000,
  heartbeat: 'feed',
})
