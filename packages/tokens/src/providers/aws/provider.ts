// An account of AWS: users without permissions whose keys are planted, and the feed of what CloudTrail records of them.
import { parsedJson } from '../../reported.ts'
import { provider } from '../../provider.ts'
import { recordedCall } from './cloudtrail.ts'
import { descriptor } from './descriptor.ts'
import { openIam } from './iam.ts'
import { unreportedUses } from './last-uses.ts'
import { awsService } from './query.ts'
import { confirmSubscription, openSns } from './sns.ts'
import { readUsePosition, usePositionText } from './use-position.ts'
import { userNameOf } from './user-name.ts'

/** Names the token of a user, for people who look at the account and for `revoke`. */
const TAG = 'rookery-token'

export default provider(descriptor, ({ world, options }) => {
  const endpoint = options.ROOKERY_AWS_ENDPOINT
  const key = {
    accessKeyId: options.ROOKERY_AWS_ACCESS_KEY_ID,
    secretAccessKey: options.ROOKERY_AWS_SECRET_ACCESS_KEY,
  }
  const iam = openIam(awsService(world, { key, endpoint }, 'iam'), options.ROOKERY_AWS_PATH)
  const topic = { arn: options.ROOKERY_AWS_TOPIC, endpoint }
  const readSns = openSns(world, topic)

  return {
    async provision({ tokenId, derive, settings: { expiry } }) {
      const { userName, arn } = await iam.ensureUser(userNameOf(derive), { [TAG]: tokenId })
      const { accessKeyId, secretAccessKey } = await iam.replaceKey(userName)
      return {
        remoteId: accessKeyId,
        ...(typeof expiry === 'number' && { endsAt: world.clock.now() + expiry }),
        issued: {
          access_key_id: accessKeyId,
          secret_access_key: secretAccessKey,
          username: userName,
          account: arn.split(':')[4] ?? '',
        },
      }
    },
    revoke: ({ tokenId, derive }) => iam.deleteUser(userNameOf(derive), { [TAG]: tokenId }),
    async ingest({ body }) {
      const message = await readSns(body.toString())
      if (message.type === 'SubscriptionConfirmation') await confirmSubscription(world, message, topic)
      const call = message.type === 'Notification' ? recordedCall(parsedJson(message.message)) : undefined
      if (!call) return { events: [] }
      const { eventId, accessKeyId, ...event } = call
      return { events: [{ ...event, id: eventId, remoteId: accessKeyId }] }
    },
    async poll({ position, resources }) {
      const found = await unreportedUses(iam, resources, readUsePosition(position), world.clock.now())
      return { events: found.events, position: usePositionText(found.position) }
    },
  }
})
