// Accounts at clouds, as fakes on loopback: a console that is configured for them, and what their programs reach.
import {
  CLIENT,
  fakeEntra,
  SECRET,
  TENANT,
  type FakeEntra,
} from '../../../packages/tokens/test/fakes/entra.ts'
import { ADMIN_KEY } from '../../../packages/tokens/test/fakes/aws.ts'
import { openFakeAws, type FakeAwsServer } from '../../../packages/tokens/test/fakes/aws-server.ts'
import { serveFake } from '../../../packages/tokens/test/fakes/server.ts'
import { TOPIC } from '../../../packages/tokens/test/fakes/sns.ts'

export interface Clouds {
  readonly aws: FakeAwsServer
  readonly tenant: FakeEntra
  /** Options of the console. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openClouds(): Promise<Clouds> {
  const aws = await openFakeAws(Date.now)
  const tenant = fakeEntra(Date.now)
  const server = await serveFake((request) => tenant.answer(request))
  return {
    aws,
    tenant,
    env: {
      ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8',
      ROOKERY_AWS_ACCESS_KEY_ID: ADMIN_KEY.accessKeyId,
      ROOKERY_AWS_SECRET_ACCESS_KEY: ADMIN_KEY.secretAccessKey,
      ROOKERY_AWS_TOPIC: TOPIC,
      ROOKERY_AWS_ENDPOINT: aws.url,
      ROOKERY_ENTRA_TENANT: TENANT,
      ROOKERY_ENTRA_CLIENT_ID: CLIENT,
      ROOKERY_ENTRA_CREDENTIAL: SECRET,
      ROOKERY_ENTRA_LOGIN_URL: server.url,
      ROOKERY_ENTRA_GRAPH_URL: server.url,
    },
    async close() {
      await aws.close()
      await server.close()
    },
  }
}
